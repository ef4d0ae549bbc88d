import type { HookCaller } from "../program/probe.ts";
import type { EventNamed } from "./event.ts";
import type { ReplaceableOutput } from "./replaceable-output.ts";

const maxLengthForAll = 200_000;
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
      return ofClaude(tool, response);
    case "copilot":
      return typeof response === "string" ? ofText(response, (text) => text) : null;
    case "gemini":
      return ofGemini(response);
    // How Codex's and VS Code's other tools accept a replacement is not yet observed.
    case "codex":
    case "vscode":
      return null;
  }
}

function ofClaude(tool: string, response: unknown): ReplaceableOutput | null {
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
function ofGemini(response: unknown): ReplaceableOutput | null {
  if (typeof response !== "string" || /^\s*(?:Error|Failed)\b/iu.test(response)) return null;
  const usual = ofText(response, (text) => text);
  return { ...usual, withText: (text) => usual.withText(`The tool succeeded, this is its output.\n${text}`) };
}

function ofText(text: string, responseOf: (text: string) => unknown): ReplaceableOutput {
  return {
    text,
    isSuccess: true,
    longest: maxLengthForAll,
    withText: (other) => ({ text: other, response: responseOf(other) }),
  };
}
