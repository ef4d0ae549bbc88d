import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CompareCase, Program } from "./compare-case.ts";

/** Where a case's files are, for those who read them: nothing of the user's own is below this home. */
export interface CasePlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The folder an agent has in the home folder, and the variable that moves it, where all readers know the same. */
const folders: Readonly<Record<Program, { readonly name: string; readonly variable: string | null }>> = {
  claude: { name: ".claude", variable: "CLAUDE_CONFIG_DIR" },
  codex: { name: ".codex", variable: "CODEX_HOME" },
  copilot: { name: ".copilot", variable: "COPILOT_HOME" },
  gemini: { name: ".gemini", variable: null },
};

/** Lays a case's files out in a scratch home, hands it over, and removes it. */
export async function inPlace<Value>(
  { program, folder: recorded, files }: CompareCase,
  use: (place: CasePlace) => Promise<Value>,
): Promise<Value> {
  const home = mkdtempSync(path.join(os.tmpdir(), "purser-compare-"));
  try {
    const { name, variable } = folders[program];
    const folder = recorded ?? path.join(home, name);
    for (const [file, content] of Object.entries(files)) {
      const place = path.join(folder, file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
    return await use({ home, env: variable === null ? {} : { [variable]: folder } });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
