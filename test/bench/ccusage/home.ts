import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CompareCase, Program } from "./case.ts";

/** The scratch home that readers find a case's files in; it holds nothing of the user's. */
export interface CaseHome {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Removes the earlier files, and writes those that are there now. */
  goOn(): void;
}

/** Each agent's folder in the home folder, and the variable that moves it where all readers support one. */
const folders: Readonly<Record<Program, { readonly name: string; readonly variable: string | null }>> = {
  claude: { name: ".claude", variable: "CLAUDE_CONFIG_DIR" },
  codex: { name: ".codex", variable: "CODEX_HOME" },
  copilot: { name: ".copilot", variable: "COPILOT_HOME" },
  gemini: { name: ".gemini", variable: null },
};

/** Writes a case's earlier files into a scratch home, passes it to `use`, and removes it. */
export async function withCaseFiles<Value>(
  { program, folder: recorded, files, earlier, projects }: CompareCase,
  use: (place: CaseHome) => Value | Promise<Value>,
): Promise<Value> {
  const home = mkdtempSync(path.join(os.tmpdir(), "purser-compare-"));
  try {
    const { name, variable } = folders[program];
    const folder = recorded ?? path.join(home, name);
    if (projects !== null) makeRepository(home);
    writeFiles(home, folder, earlier);
    const goOn = () => {
      for (const file of Object.keys(earlier)) rmSync(placed(home, folder, file));
      writeFiles(home, folder, files);
    };
    return await use({ home, env: variable === null ? {} : { [variable]: folder }, goOn });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeFiles(home: string, folder: string, files: CompareCase["files"]): void {
  for (const [file, content] of Object.entries(files)) {
    const filePath = placed(home, folder, file);
    mkdirSync(path.dirname(filePath), { recursive: true });
    // A home on Windows has backslashes, which JSON escapes.
    const inJson = JSON.stringify(home).slice(1, -1);
    writeFileSync(filePath, typeof content === "string" ? content.replaceAll("{home}", inJson) : content);
  }
}

/** Claude Code names a project's folder after its path. */
function placed(home: string, folder: string, file: string): string {
  return path.join(folder, file.replaceAll("{home}", home.replaceAll(/[^a-zA-Z0-9]/gu, "-")));
}

/** A repository with a subfolder, a worktree beside it, and a link to it. */
function makeRepository(home: string): void {
  const root = path.join(home, "harbor");
  mkdirSync(path.join(root, "src"), { recursive: true });
  const identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"];
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", root, ...identity, ...args], { stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "Begin");
  git("worktree", "add", "-q", "-b", "fix", path.join(home, "harbor-fix"));
  symlinkSync(root, path.join(home, "link"), "junction");
}
