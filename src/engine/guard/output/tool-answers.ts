import { type EventNamed, toolCallOf } from "../../hooks/event.ts";

/** The form of what a tool answers: matches of a search, a list of paths, a page of the web, or data of another program. */
export type ToolFormat = "matches" | "paths" | "page" | "data";

/** What wrote an output, as far as its compressor and its reader need to know it. */
export type OutputSource =
  | { readonly kind: "command"; readonly line: string }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly format: ToolFormat;
      /** The call in one line. */
      readonly line: string;
    };

/** Tools that answer with the pages that they fetch. */
const fetching = new Set(["WebFetch", "web_fetch", "fetch_webpage"]);
/** Servers' tools that may return the text of a file, by their name. Such a text is never cut. */
const readsFiles = /read|file|content|resource|cat\b|view|open|source|snippet|blob|doc/iu;
/** Longest line for a call. Characters. */
const longestLine = 200;

/** Returns the program behind a call's output; null if the output is left unchanged. */
export function outputSource(
  event: Pick<EventNamed<"PostToolUse">, "tool_name" | "tool_input" | "tool_response">,
): OutputSource | null {
  const call = toolCallOf(event);
  if (call.kind === "command") return call.command === null ? null : { kind: "command", line: call.command };
  const { tool } = call;
  const format = formatOf(tool, call.kind, event.tool_response);
  return format === null ? null : { kind: "tool", tool, format, line: lineOf(tool, event.tool_input) };
}

function formatOf(tool: string, kind: string, response: unknown): ToolFormat | null {
  if (kind === "search")
    return tool === "Grep" && modeOf(response) === "content" ? "matches" : listsOnly(tool);
  if (kind === "list") return "paths";
  if (fetching.has(tool)) return "page";
  const isServers = tool.startsWith("mcp__");
  return isServers && !readsFiles.test(tool.slice(tool.lastIndexOf("__") + 2)) ? "data" : null;
}

/** Claude Code's Grep reports its mode; other agents' text searches print matches. */
function listsOnly(tool: string): ToolFormat {
  return /^(?:Grep|Glob|glob|file_search)$/u.test(tool) ? "paths" : "matches";
}

function modeOf(response: unknown): unknown {
  return typeof response === "object" && response !== null ? Reflect.get(response, "mode") : undefined;
}

/** Members of an input that name the requested thing. */
const namingFields = ["pattern", "query", "url", "path", "dir_path"];

function lineOf(tool: string, input: unknown): string {
  const words = namingFields.flatMap((name) => {
    const value: unknown = typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  return [tool, ...words].join(" ").slice(0, longestLine);
}
