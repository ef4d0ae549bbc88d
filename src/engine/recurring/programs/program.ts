import type { HandoverWord } from "../../continuity/handover.ts";
import type { ProgramEnd } from "../../bench/processes.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { sentence, type Sentence } from "../../base/language.ts";

export interface Invocation {
  readonly agent: RecurringAgent;
  readonly prompt: string;
  /** Null for a new session. */
  readonly resume: string | null;
  /** For programs that take one. */
  readonly sessionId: string;
  readonly turns: number;
  /** Writable folder, in addition to its own. */
  readonly desk: string;
  readonly settings: string;
  /** Of the prompt cache. */
  readonly cache: "5m" | "1h";
  /** MCP servers in addition to the project's own, by name. */
  readonly mcpConfig: string | null;
}

export interface Printed {
  /** Null if it is not printed. */
  readonly sessionId: string | null;
  /** Input with cache, and output. Null if it prints none. */
  readonly raw: { readonly input: number; readonly output: number } | null;
  /** Last words, if printed apart. */
  readonly reply?: string;
  readonly end:
    | { readonly kind: "ended" }
    | { readonly kind: "limit"; readonly detail: Sentence }
    | { readonly kind: "failed"; readonly detail: Sentence };
}

export interface AgentProgram {
  readonly word: HandoverWord;
  /** Words of a program, never a shell's line. */
  readonly arguments: (invocation: Invocation) => readonly string[];
  /** In addition to the user's. */
  readonly environment: (invocation: Invocation) => Readonly<Record<string, string>>;
  readonly read: (ended: ProgramEnd) => Printed;
  /** It ended because the session does not exist. */
  readonly isGone: (ended: ProgramEnd) => boolean;
}

/** No wake needs a permission for these commands. */
export const ownCommand = "purser task";

/** A prompt must not be taken for an option. */
export function asArgument(prompt: string): string {
  return prompt.startsWith("-") ? ` ${prompt}` : prompt;
}

export function failedWith({ exitCode, output }: ProgramEnd): Printed["end"] {
  const printed = output.trim().slice(-500);
  const detail =
    exitCode === null
      ? sentence("exit code none: {0}", printed)
      : sentence("exit code {0}: {1}", exitCode, printed);
  return { kind: "failed", detail };
}
