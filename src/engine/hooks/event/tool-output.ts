import type { HookCaller } from "../program.ts";
import type { EventNamed } from "./event.ts";
import type { ReplacedOutput } from "./hooks-answer.ts";

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
  if (program === "claude-code") return ofClaudeCommand(response);
  if (typeof response !== "string") return null;
  switch (program) {
    case "codex":
      return ofCodexCommand(response);
    case "copilot":
      return ofCopilotCommand(response);
    case "gemini":
      return ofGeminiCommand(response);
    case "vscode":
      return { ...plain(response), isSuccess: false, longest: maxLengthForOthers };
  }
}

/**
 * Claude Code accepts an object of the same shape, and reports failures by another event. Of more than 30,000
 * characters it shows the model 2 kB and the name of a file with the rest; no compressor beats that.
 */
function ofClaudeCommand(response: unknown): ReplaceableOutput | null {
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
function ofCodexCommand(response: string): ReplaceableOutput | null {
  if (response.startsWith("Warning: truncated output")) return null;
  return { ...plain(response), isSuccess: false, longest: maxLengthForCodex };
}

/** Copilot CLI ends an output with the exit code. */
function ofCopilotCommand(response: string): ReplaceableOutput | null {
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
function ofGeminiCommand(response: string): ReplaceableOutput | null {
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

/** Claude Code hands longer answers of Grep and of servers to the model as a file with a preview. Characters. */
const maxLengthForGrep = 60_000;

type Response = Readonly<Record<string, unknown>>;
type Event = Pick<EventNamed<"PostToolUse">, "tool_name" | "tool_response">;

/**
 * Returns the result of a tool that runs no command, if the agent reports it in a known shape and accepts a
 * replacement. Claude Code and Copilot CLI report failures by another event.
 */
export function replaceableToolOutput(
  { tool_name: tool = "", tool_response: response }: Event,
  program: HookCaller,
): ReplaceableOutput | null {
  switch (program) {
    case "claude-code":
      return ofClaudeTool(tool, response);
    case "copilot":
      return typeof response === "string" ? ofText(response, (text) => text) : null;
    case "gemini":
      return ofGeminiTool(response);
    // How Codex's and VS Code's other tools accept a replacement is not yet observed.
    case "codex":
    case "vscode":
      return null;
  }
}

function ofClaudeTool(tool: string, response: unknown): ReplaceableOutput | null {
  if (tool.startsWith("mcp__")) return ofServer(response);
  if (typeof response !== "object" || response === null) return null;
  const members: Response = { ...response };
  if (tool === "WebFetch") return ofMember(members, "result");
  if (tool === "Grep" && members["mode"] === "content") return ofMember(members, "content");
  if (tool === "Glob" || (tool === "Grep" && members["mode"] === "files_with_matches"))
    return ofNames(members);
  return null;
}

function ofMember(members: Response, name: string): ReplaceableOutput | null {
  const text = members[name];
  if (typeof text !== "string") return null;
  return {
    text,
    isSuccess: true,
    longest: maxLengthForGrep,
    withText: (other) => ({ text: other, response: { ...members, [name]: other } }),
  };
}

/** A list of names, of which each line of a smaller text is one. */
function ofNames(members: Response): ReplaceableOutput | null {
  const names = members["filenames"];
  if (!Array.isArray(names)) return null;
  const lines = names.filter((name: unknown) => typeof name === "string");
  if (lines.length !== names.length || lines.some((line) => line.includes("\n"))) return null;
  return {
    text: lines.join("\n"),
    isSuccess: true,
    longest: maxLengthForGrep,
    withText: (text) => ({ text, response: { ...members, filenames: text.split("\n") } }),
  };
}

/** A server's result is a text, or blocks. Only the longest text block is shortened. */
function ofServer(response: unknown): ReplaceableOutput | null {
  if (typeof response === "string") return ofText(response, (text) => text);
  if (!Array.isArray(response)) return null;
  const blocks: readonly unknown[] = response;
  const sizes = blocks.map((block) => textIn(block)?.length ?? 0);
  const at = sizes.indexOf(Math.max(0, ...sizes));
  const [block, text] = [blocks[at], textIn(blocks[at])];
  if (text === null || typeof block !== "object") return null;
  return ofText(text, (other) => blocks.with(at, { ...block, text: other }));
}

function textIn(block: unknown): string | null {
  if (typeof block !== "object" || block === null || Reflect.get(block, "type") !== "text") return null;
  const text: unknown = Reflect.get(block, "text");
  return typeof text === "string" ? text : null;
}

/** Gemini CLI takes a text in place of an answer as the reason of a refusal. */
function ofGeminiTool(response: unknown): ReplaceableOutput | null {
  if (typeof response !== "string" || /^\s*(?:Error|Failed)\b/iu.test(response)) return null;
  const usual = ofText(response, (text) => text);
  return { ...usual, withText: (text) => usual.withText(`The tool succeeded, this is its output.\n${text}`) };
}

function ofText(text: string, responseOf: (text: string) => unknown): ReplaceableOutput {
  return {
    text,
    isSuccess: true,
    longest: maxLengthForOthers,
    withText: (other) => ({ text: other, response: responseOf(other) }),
  };
}
