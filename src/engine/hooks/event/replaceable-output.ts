import type { EventNamed } from "./event.ts";
import type { ReplacedOutput } from "./hooks-answer.ts";
import type { HookCaller } from "../program/probe.ts";

/** A command's output that can be given to the agent in another form. */
export interface ReplaceableOutput {
  readonly text: string;
  /** Whether the command is known to have succeeded. Otherwise only a known format may be shortened. */
  readonly isSuccess: boolean;
  /** The agent would cut a longer one itself. Characters. */
  readonly longest: number;
  /** Returns the whole output with another text, in the agent's own shape. */
  readonly withText: (text: string) => ReplacedOutput;
}

/** Codex cuts what a hook gives it beyond about 9,900 characters, and loses the middle. Characters. */
const maxLengthForCodex = 9_400;
/** Gemini CLI hands longer outputs to the model in part, and the rest as a file. Characters. */
const maxLengthForGemini = 40_000;
const maxLengthForOthers = 200_000;

/**
 * Returns the output of a command if the agent reports it in a known shape and accepts a replacement. Null if
 * the command failed, was interrupted, continues in the background, printed an image, or was cut by the
 * agent.
 */
export function replaceableOutput(
  { tool_response: response }: Pick<EventNamed<"PostToolUse">, "tool_response">,
  program: HookCaller,
): ReplaceableOutput | null {
  if (program === "claude-code") return ofClaude(response);
  if (typeof response !== "string") return null;
  switch (program) {
    case "codex":
      return ofCodex(response);
    case "copilot":
      return ofCopilot(response);
    case "gemini":
      return ofGemini(response);
    case "vscode":
      return { ...plain(response), isSuccess: false, longest: maxLengthForOthers };
  }
}

/**
 * Claude Code accepts an object of the same shape, and reports failures by another event. Of more than 30,000
 * characters it shows the model 2 kB and the name of a file with the rest; no compressor beats that.
 */
function ofClaude(response: unknown): ReplaceableOutput | null {
  if (typeof response !== "object" || response === null) return null;
  const members: Readonly<Record<string, unknown>> = { ...response };
  const { stdout, stderr, interrupted, isImage, backgroundTaskId, persistedOutputPath } = members;
  const isUsual = typeof stdout === "string" && typeof stderr === "string";
  const isWhole = persistedOutputPath === undefined && backgroundTaskId === undefined;
  if (!isUsual || !isWhole || interrupted !== false || isImage !== false) return null;
  return {
    text: stdout,
    isSuccess: true,
    longest: maxLengthForOthers,
    withText: (text) => ({ text, response: { ...members, stdout: text } }),
  };
}

/**
 * Codex does not report to its hooks how a command ended. The new text also replaces its own lines about
 * that.
 */
function ofCodex(response: string): ReplaceableOutput | null {
  if (response.startsWith("Warning: truncated output")) return null;
  return { ...plain(response), isSuccess: false, longest: maxLengthForCodex };
}

/** Copilot CLI ends an output with the exit code. */
function ofCopilot(response: string): ReplaceableOutput | null {
  const found = /^(?<text>[\s\S]*?)(?<end>\n?<shellId: [^>\n]{0,100} completed with exit code 0>\s*)$/u.exec(
    response,
  )?.groups;
  if (found === undefined) return null;
  const { text = "", end = "" } = found;
  return {
    text,
    isSuccess: true,
    longest: maxLengthForOthers,
    withText: (other) => plain(response).withText(`${other}${end.startsWith("\n") ? end : `\n${end}`}`),
  };
}

/** Lines that Gemini CLI adds where a command did not simply succeed. */
const troubles = /^(?:Exit Code|Error|Signal|Background PIDs): /mu;

/** Gemini CLI adds an exit code only to what failed, and hands the other text to the model as an error. */
function ofGemini(response: string): ReplaceableOutput | null {
  const found =
    /^(?<start><untrusted_context>\nOutput: )(?<text>[\s\S]*)(?<end>\nProcess Group PGID: \d+\n<\/untrusted_context>)$/u.exec(
      response,
    )?.groups;
  if (found === undefined || troubles.test(response)) return null;
  const { start = "", text = "", end = "" } = found;
  return {
    text,
    isSuccess: true,
    longest: maxLengthForGemini,
    withText: (other) =>
      plain(response).withText(`The command succeeded, this is its output.\n${start}${other}${end}`),
  };
}

function plain(response: string): Pick<ReplaceableOutput, "text" | "withText"> {
  return { text: response, withText: (text) => ({ text, response: text }) };
}
