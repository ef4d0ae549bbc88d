import type { Tokens } from "../../agents/scenarios/tokens.ts";

export type Program = "claude" | "codex" | "copilot" | "gemini";

/** An agent's files, with the tokens the API really sent when they were written. */
export interface CompareCase {
  readonly program: Program;
  /** The agent and its version, or a note that the case is synthetic. */
  readonly source: string;
  readonly name: string;
  readonly sent: Tokens;
  /** The cost in USD, if the case checks it. */
  readonly usd: number | null;
  /** How many projects it was, where the case is about that. */
  readonly projects: number | null;
  /** The agent's folder with the recorded files; null where `files` are to be written. */
  readonly folder: string | null;
  /** Files by path below the agent's folder. `{home}` in a path or a text stands for the scratch home. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Files that were there when each program read for the first time. */
  readonly earlier: CompareCase["files"];
  /** Why a program's count differs from the truth, in a sentence; null where it does not. */
  readonly why: Readonly<Record<"purser" | "ccusage" | "codeburn", string | null>>;
}

/** The figures of a case, as they are or as a program shows them. */
export interface Figures extends Pick<CompareCase, "usd" | "projects"> {
  readonly tokens: Tokens;
}

interface Sent {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation?: number;
  readonly cacheRead?: number;
}

export function sumSent(responses: Iterable<Sent>): Tokens {
  let sum: Tokens = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
  for (const { input, output, cacheCreation = 0, cacheRead = 0 } of responses) {
    sum = {
      input: sum.input + input,
      output: sum.output + output,
      cacheCreation: sum.cacheCreation + cacheCreation,
      cacheRead: sum.cacheRead + cacheRead,
    };
  }
  return sum;
}

const names: Readonly<Record<Program, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
  gemini: "Gemini CLI",
};

/** The source of a recording. */
export function recordedBy(program: Program, version: string): string {
  return `${names[program]} ${version}`;
}

/** A synthetic case: what was sent, response by response, and the files an agent would have written. */
export function madeUp(made: {
  readonly program: Program;
  readonly name: string;
  readonly sent: readonly Sent[];
  readonly files: CompareCase["files"];
  readonly earlier?: CompareCase["files"];
  readonly usd?: number;
  readonly projects?: number;
  /** Why purser does not show the truth. */
  readonly limit?: string;
  /** Why ccusage does not. */
  readonly why?: string;
  readonly codeburn?: string;
}): CompareCase {
  const { program, name, sent, files, earlier = {}, usd = null, projects = null } = made;
  return {
    program,
    source: `${names[program]}, made up`,
    name,
    sent: sumSent(sent),
    usd,
    projects,
    folder: null,
    files,
    earlier,
    why: { purser: made.limit ?? null, ccusage: made.why ?? null, codeburn: made.codeburn ?? null },
  };
}

export const noWhy: CompareCase["why"] = { purser: null, ccusage: null, codeburn: null };

/** Rows as the text of a JSON Lines file. */
export function linesOf(rows: readonly (object | string)[]): string {
  return rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("");
}
