import { type EventNamed, toolCallOf } from "../../hooks/event.ts";
import { memberOf } from "../own-value.ts";

/** The format of a tool's answer: search matches, a list of paths, a web page, or data of another program. */
export type ToolFormat = "matches" | "paths" | "page" | "data";

/** What wrote an output. */
export type OutputSource =
  | { readonly kind: "command"; readonly line: string }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly format: ToolFormat;
      /** The call in one line. */
      readonly line: string;
    };

const fetching = new Set(["WebFetch", "web_fetch", "fetch_webpage"]);
/** Names of servers' tools that may return the text of a file, which is never cut. */
const readsFiles = /read|file|content|resource|cat\b|view|open|source|snippet|blob|doc/iu;
/** Maximum length of a call's line. Characters. */
const maxLineLength = 200;

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
    return tool === "Grep" && memberOf(response, "mode") === "content" ? "matches" : listsOnly(tool);
  if (kind === "list") return "paths";
  if (fetching.has(tool)) return "page";
  const isServers = tool.startsWith("mcp__");
  return isServers && !readsFiles.test(tool.slice(tool.lastIndexOf("__") + 2)) ? "data" : null;
}

/** Claude Code's Grep reports its mode; other agents' text searches print matches. */
function listsOnly(tool: string): ToolFormat {
  return /^(?:Grep|Glob|glob|file_search)$/u.test(tool) ? "paths" : "matches";
}

/** Members of an input that name the requested thing. */
const namingFields = ["pattern", "query", "url", "path", "dir_path"];

function lineOf(tool: string, input: unknown): string {
  const words = namingFields.flatMap((name) => {
    const value = memberOf(input, name);
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  return [tool, ...words].join(" ").slice(0, maxLineLength);
}
