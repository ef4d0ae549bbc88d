import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CompareCase, Program } from "./case.ts";

/** The scratch home that readers find a case's files in; it holds nothing of the user's. */
export interface CaseHome {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Each agent's folder in the home folder, and the variable that moves it where all readers support one. */
const folders: Readonly<Record<Program, { readonly name: string; readonly variable: string | null }>> = {
  claude: { name: ".claude", variable: "CLAUDE_CONFIG_DIR" },
  codex: { name: ".codex", variable: "CODEX_HOME" },
  copilot: { name: ".copilot", variable: "COPILOT_HOME" },
  gemini: { name: ".gemini", variable: null },
};

/** Writes a case's files into a scratch home, passes it to `use`, and removes it. */
export async function withCaseFiles<Value>(
  { program, folder: recorded, files }: CompareCase,
  use: (place: CaseHome) => Promise<Value>,
): Promise<Value> {
  const home = mkdtempSync(path.join(os.tmpdir(), "purser-compare-"));
  try {
    const { name, variable } = folders[program];
    const folder = recorded ?? path.join(home, name);
    for (const [file, content] of Object.entries(files)) {
      const filePath = path.join(folder, file);
      mkdirSync(path.dirname(filePath), { recursive: true });
      writeFileSync(filePath, content);
    }
    return await use({ home, env: variable === null ? {} : { [variable]: folder } });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
