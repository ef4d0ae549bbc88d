import { agentNames } from "../../transcripts/agents.ts";
import { handoverIn } from "./identity.ts";

/** The agents that can start with a document, by the words that a person types. */
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

/** The word for an agent by its adapter's name. Null for one that cannot start in a terminal. */
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
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  /** Whether a person sits at the terminal. If not, the agent does its work and ends. */
  readonly isAttended: boolean;
}

/**
 * The agent reads a longer document from its file. Linux accepts 128 KiB per argument. On Windows agents are
 * scripts, and their command line holds 8,191 characters and no line break. Bytes.
 */
const maxArgumentLength = 100_000;

/**
 * The arguments that start an agent with a document as its first prompt: words of a program, never a shell's
 * line.
 */
export function launchArguments(input: LaunchInput): readonly string[] {
  const { text, platform } = input;
  const isWhole =
    platform !== "win32" && Buffer.byteLength(text) <= maxArgumentLength && !text.includes("\0");
  return isWhole ? withPrompt(input, named(input), []) : withPrompt(input, reference(input), [input.folder]);
}

/** The document as a prompt. Adds the identifying first line if people removed it. */
function named({ id, text }: LaunchInput): string {
  return handoverIn(text) === id ? text : `Handover ${id}: go on with this work.\n\n${text}`;
}

function reference({ id, file }: LaunchInput): string {
  return `Handover ${id}: read \`${file}\` and go on from there. It is the record of an earlier session.`;
}

/**
 * Puts the prompt before options that take several values.
 * @param reach folders outside the project that the agent has to read
 */
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
      // Its sandbox allows it to read every file.
      return [...(isAttended ? [] : ["exec"]), prompt];
    case "copilot":
      return [...also("--add-dir"), isAttended ? "-i" : "-p", prompt];
    case "gemini":
      return [...also("--include-directories"), isAttended ? "-i" : "-p", prompt];
  }
}
