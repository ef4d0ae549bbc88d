import type { HandoverWord } from "../../continuity/handover.ts";
import type { ProgramEnd } from "../../bench/processes.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** The request for one start of a program. */
export interface Invocation {
  readonly agent: RecurringAgent;
  readonly prompt: string;
  /** The session to continue. Null for a new one. */
  readonly resume: string | null;
  /** The new session's id, for programs that take one. */
  readonly sessionId: string;
  /** Maximum responses. */
  readonly turns: number;
  /** Writable folder, in addition to its own. */
  readonly desk: string;
  /** Claude Code's settings for this agent. */
  readonly settings: string;
  /** Lifetime of the prompt cache. */
  readonly cache: "5m" | "1h";
  /** MCP servers in addition to the project's own, by name. */
  readonly mcpConfig: string | null;
}

/** The output of a program. Its texts are outside text. */
export interface Printed {
  /** Null if the output does not contain it. */
  readonly sessionId: string | null;
  /** Its own sums of input with cache, and of output. Null if it prints none. */
  readonly raw: { readonly input: number; readonly output: number } | null;
  /** Its last words, if it prints them apart. */
  readonly reply?: string;
  readonly end:
    | { readonly kind: "ended" }
    | { readonly kind: "limit"; readonly detail: Sentence }
    | { readonly kind: "failed"; readonly detail: Sentence };
}

/** A coding agent's program that wakes can start. */
export interface AgentProgram {
  readonly word: HandoverWord;
  /** Its arguments, as words of a program and never as a shell's line. */
  readonly arguments: (invocation: Invocation) => readonly string[];
  /** Environment variables in addition to the user's. */
  readonly environment: (invocation: Invocation) => Readonly<Record<string, string>>;
  readonly read: (ended: ProgramEnd) => Printed;
  /** Whether it ended because the session does not exist. */
  readonly isGone: (ended: ProgramEnd) => boolean;
}

/** Commands for which no wake needs a permission. */
export const ownCommand = "purser task";

/** Prompts must not be taken for options. */
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
