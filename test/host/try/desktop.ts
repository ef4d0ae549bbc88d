import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { childEnvironment } from "../child-environment.ts";
import { repository } from "../repository.ts";
import { makeScratch } from "../scratch.ts";
import type { Shown } from "./play.ts";

const startLimit = 20_000; // ms

/** The `code` on PATH if it is a desktop VS Code that starts here; one of a remote terminal cannot open a window. */
export async function desktopEditor(): Promise<string | undefined> {
  const names = process.platform === "win32" ? ["code.cmd"] : ["code"];
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file) && !/remote-cli|\.vscode-server/u.test(file));
  if (found === undefined) return undefined;
  const version = await execa(found, ["--version"], { reject: false, stdin: "ignore", timeout: startLimit });
  return version.failed ? undefined : found;
}

/** Shows the session in a desktop VS Code with its own profile, until its window is closed or Ctrl-C. */
export async function tryInDesktop(code: string, signal: AbortSignal, { show, env }: Shown): Promise<void> {
  const scratch = await makeScratch();
  const closed = new AbortController();
  const ended = AbortSignal.any([signal, closed.signal]);
  try {
    console.log(
      `Starting ${code}. Close its window, or press Ctrl-C here, to stop everything and remove it.`,
    );
    const root = process.getuid?.() === 0;
    const editor = execa(
      code,
      [
        "--new-window",
        "--wait",
        "--skip-welcome",
        "--skip-release-notes",
        "--disable-workspace-trust",
        "--user-data-dir",
        join(scratch.root, "user-data"),
        "--extensions-dir",
        join(scratch.root, "extensions"),
        `--extensionDevelopmentPath=${repository}`,
        ...(root ? ["--no-sandbox"] : []), // VS Code refuses to start as root with a sandbox
        scratch.workspace,
        join(scratch.workspace, "README.md"),
      ],
      {
        env: childEnvironment({ ...scratch.env, ...env }),
        extendEnv: false,
        reject: false,
        stdin: "ignore",
        cancelSignal: ended,
      },
    );
    const gone = editor.then(() => closed.abort());
    await show(scratch, ended);
    await gone;
  } finally {
    await scratch.remove();
  }
}
