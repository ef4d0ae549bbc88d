import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { childEnvironment } from "../child-environment.ts";

const startLimit = 60_000; // ms
const keptLines = 300;
/** Server messages about native parts that are omitted on purpose. */
const noise = /spdlog|bindings|node:internal|^\s*[\]}]|tries: \[|^\s*$/u;

/** A VS Code server that runs on the loopback interface until `stop` is called or this process ends. */
export interface EditorServer {
  readonly port: number;
  /** Required by the server, which keeps other users of the machine out. */
  readonly token: string;
  /** Folder of its installed extensions. */
  readonly extensions: string;
  /** The user's settings.json. */
  readonly userSettings: string;
  /** The last lines the server wrote, for failure messages. */
  log(): string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** The folder that holds `out/server-main.js`. */
  readonly editor: string;
  /** Added to the environment of the server, and so of its extension host. */
  readonly env?: NodeJS.ProcessEnv;
  /** Packaged extensions to install first. */
  readonly packages?: readonly string[];
  /** Whether a window may load an extension from a folder, with proposed parts of the editor's API. */
  readonly develops?: boolean;
  /** The user's settings.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Off by default, since a test's own folder needs no trust prompt. */
  readonly workspaceTrust?: boolean;
}

/** A quiet editor: no welcome page, chat, tips or network requests. */
const calm = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "window.commandCenter": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "git.openRepositoryInParentFolders": "never",
};

export async function startServer(options: ServerOptions): Promise<EditorServer> {
  const data = await mkdtemp(join(tmpdir(), "purser-editor-"));
  const lines: string[] = [];
  try {
    const file = userSettings(data);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ ...calm, ...options.settings }, null, 2));
    if (options.packages !== undefined) await installExtensions(options, data, options.packages);
    return await listen(options, data, lines);
  } catch (error) {
    await rm(data, { recursive: true, force: true });
    throw error;
  }
}

function userSettings(data: string): string {
  return join(data, "data", "User", "settings.json");
}

async function listen(options: ServerOptions, data: string, lines: string[]): Promise<EditorServer> {
  const token = randomBytes(16).toString("hex");
  const guard = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "server-guard.ts"),
      data,
      process.execPath,
      join(options.editor, "out", "server-main.js"),
      // Without this flag a built workbench silently ignores `extensionDevelopmentPath`; with it, it shows no
      // toasts.
      ...(options.packages === undefined || options.develops === true ? ["--enable-smoke-test-driver"] : []),
      "--accept-server-license-terms",
      "--telemetry-level",
      "off",
      "--host",
      "127.0.0.1",
      "--port",
      "0",
      "--connection-token",
      token,
      "--server-data-dir",
      data,
      ...(options.workspaceTrust === true ? [] : ["--disable-workspace-trust"]),
    ],
    { detached: true, stdio: ["pipe", "pipe", "pipe"], env: childEnvironment(options.env) },
  );
  const ended = once(guard, "exit");
  const log = () => lines.join("\n");
  const stop = async () => {
    guard.stdin.end();
    await ended;
  };
  try {
    const port = await new Promise<number>((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`VS Code did not listen in ${startLimit} ms.\n${log()}`)),
        startLimit,
      );
      guard.once("exit", () => reject(new Error(`VS Code ended before it listened.\n${log()}`)));
      for (const stream of [guard.stdout, guard.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          if (!noise.test(line)) lines.push(line);
          if (lines.length > keptLines) lines.shift();
          const listening = /Extension host agent listening on (\d+)/u.exec(line)?.[1];
          if (listening === undefined) return;
          clearTimeout(limit);
          resolve(Number(listening));
        });
      }
    });
    return {
      port,
      token,
      log,
      stop,
      extensions: join(data, "extensions"),
      userSettings: userSettings(data),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function installExtensions(
  options: ServerOptions,
  data: string,
  packages: readonly string[],
): Promise<void> {
  await execa(
    process.execPath,
    [
      join(options.editor, "out", "server-main.js"),
      "--accept-server-license-terms",
      "--server-data-dir",
      data,
      ...packages.flatMap((file) => ["--install-extension", file]),
      "--force",
    ],
    { stdin: "ignore", env: childEnvironment(options.env), extendEnv: false, timeout: startLimit },
  );
}
