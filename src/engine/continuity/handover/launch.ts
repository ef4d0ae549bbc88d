import { agentNames } from "../../transcripts/agents.ts";
import { handoverIn } from "./identity.ts";

/** The agents that can begin with a document, by the words that a person types. */
export const handoverAgents = {
  claude: { name: "claude-code", program: "claude", variable: "PURSER_CLAUDE" },
  codex: { name: "codex", program: "codex", variable: "PURSER_CODEX" },
  copilot: { name: "copilot", program: "copilot", variable: "PURSER_COPILOT" },
  gemini: { name: "gemini", program: "gemini", variable: "PURSER_GEMINI" },
} as const;

export type HandoverWord = keyof typeof handoverAgents;
export const handoverWords = [
  "claude",
  "codex",
  "copilot",
  "gemini",
] as const satisfies readonly HandoverWord[];

/** The word for an agent by its adapter's name; null for one that no terminal begins. */
export function wordOf(agent: string): HandoverWord | null {
  return handoverWords.find((word) => handoverAgents[word].name === agent) ?? null;
}

export function displayNameOf(word: HandoverWord): string {
  return agentNames.of(handoverAgents[word].name);
}

export interface LaunchInput {
  readonly word: HandoverWord;
  readonly id: string;
  readonly text: string;
  readonly file: string;
  /** The file's folder. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  /** Whether a person sits at the terminal; else the agent does its work and ends. */
  readonly isAttended: boolean;
}

/**
 * A longer document is read from its file by the agent. Linux takes 128 KiB for one argument; on Windows agents are scripts, whose command
 * line holds 8,191 characters and no line break. Bytes.
 */
const longestArgument = 100_000;

/** The arguments that begin an agent with a document as its first prompt: words of a program, never a shell's line. */
export function launchArguments(input: LaunchInput): readonly string[] {
  const { text, platform } = input;
  const isWhole = platform !== "win32" && Buffer.byteLength(text) <= longestArgument && !text.includes("\0");
  return isWhole ? withPrompt(input, named(input), []) : withPrompt(input, reference(input), [input.folder]);
}

/** The document as a prompt. One whose first line no longer says what it is gets a line that does. */
function named({ id, text }: LaunchInput): string {
  return handoverIn(text) === id ? text : `Handover ${id}: go on with this work.\n\n${text}`;
}

function reference({ id, file }: LaunchInput): string {
  return `Handover ${id}: read ${file} and go on from there. It is the record of an earlier session.`;
}

/** @param reach folders beside the project that the agent has to read. The prompt comes before options that take several values. */
function withPrompt(
  { word, isAttended }: LaunchInput,
  prompt: string,
  reach: readonly string[],
): readonly string[] {
  const also = (option: string) => reach.flatMap((folder) => [option, folder]);
  switch (word) {
    case "claude":
      return [...(isAttended ? [] : ["-p"]), prompt, ...also("--add-dir")];
    case "codex":
      // Its sandbox lets it read every file.
      return [...(isAttended ? [] : ["exec"]), prompt];
    case "copilot":
      return [...also("--add-dir"), isAttended ? "-i" : "-p", prompt];
    case "gemini":
      return [...also("--include-directories"), isAttended ? "-i" : "-p", prompt];
  }
}
