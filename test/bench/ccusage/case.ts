import type { Tokens } from "../../agents/scenarios/tokens.ts";

export type Program = "claude" | "codex" | "copilot" | "gemini";

/** An agent's files, with the tokens the API really sent when they were written. */
export interface CompareCase {
  readonly program: Program;
  /** The agent and its version, or a note that the case is synthetic. */
  readonly source: string;
  readonly name: string;
  readonly sent: Tokens;
  /** The agent's folder with the recorded files; null where `files` are to be written. */
  readonly folder: string | null;
  /** Files by path below the agent's folder. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Why ccusage's count differs from what was sent, in a sentence; null where it does not. */
  readonly why: string | null;
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
  readonly why?: string;
}): CompareCase {
  const { program, name, sent, files, why = null } = made;
  return {
    program,
    source: `${names[program]}, made up`,
    name,
    sent: sumSent(sent),
    folder: null,
    files,
    why,
  };
}

/** Rows as the text of a JSON Lines file. */
export function linesOf(rows: readonly (object | string)[]): string {
  return rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("");
}
