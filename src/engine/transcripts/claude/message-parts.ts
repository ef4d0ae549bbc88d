import { isObject } from "../../base/parse.ts";

/** Characters by kind: `user`, `assistant`, `thinking`, `tool-calls`, `result:Read`, … */
export type Parts = ReadonlyMap<string, number>;

const maxToolLength = 100;
/**
 * An image's cost depends on its pixels: at most about 1,600 tokens, however many bytes it has. Counted as the
 * characters of a text with that many tokens. An estimate.
 * @see https://docs.claude.com/en/docs/build-with-claude/vision
 */
const pictureChars = 6000;
const [reminder, reminderEnd] = ["<system-reminder>", "</system-reminder>"];
/** Characters of a reminder that are searched for its kind. */
const openingChars = 1500;

/** A tool's name as stored, cut to the maximum length. */
export function toolName(name: string): string {
  return name.slice(0, maxToolLength);
}

/** Characters of the model's reply, by block. */
export function replyParts(content: unknown): Map<string, number> {
  const parts = new Map<string, number>();
  if (typeof content === "string") addTo(parts, "assistant", content.length);
  else for (const block of blocksOf(content)) addReplyBlock(parts, block);
  return parts;
}

/**
 * Characters of a message in a request, by role and block.
 *
 * @param toolOf the tool name for a call's id
 */
export function messageParts(
  message: RowObject,
  toolOf: (callId: string) => string | undefined,
): Map<string, number> {
  const { role, content } = message;
  if (role === "assistant") return replyParts(content);
  const parts = new Map<string, number>();
  const isSystem = role === "system";
  if (typeof content === "string") addTo(parts, kindOfText(content, isSystem), content.length);
  for (const block of blocksOf(content)) {
    if (block["type"] === "tool_result") {
      const tool = toolOf(textAt(block, "tool_use_id") ?? "") ?? "unknown";
      addResult(parts, `result:${tool}`, block["content"]);
    } else if (typeof block["text"] === "string") {
      addTo(parts, kindOfText(block["text"], isSystem), block["text"].length);
    } else addTo(parts, "attachments", pictureChars);
  }
  return parts;
}

/** Characters of a tool result's content: a text, or blocks of text and images. */
export function contentChars(content: unknown): number {
  if (typeof content === "string") return content.length;
  return blocksOf(content).reduce((sum, { text, type }) => {
    if (typeof text === "string") return sum + text.length;
    return sum + (type === "image" || type === "document" ? pictureChars : 0);
  }, 0);
}

export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return blocksOf(content)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

/** Characters of a request's system prompt and its tools' descriptions. MCP tools are named `mcp__server__tool`. */
export function shapeParts(shape: RowObject): Map<string, number> {
  const parts = new Map<string, number>();
  const { system } = shape;
  addTo(parts, "system", contentChars(system));
  for (const tool of objectsAt(shape, "tools")) {
    const isMcp = textAt(tool, "name")?.startsWith("mcp__") === true;
    addTo(parts, isMcp ? "mcp-tools" : "tools", jsonChars(tool));
  }
  return parts;
}

export function addTo(parts: Map<string, number>, name: string, chars: number): void {
  if (chars > 0) parts.set(name, (parts.get(name) ?? 0) + chars);
}

function addReplyBlock(parts: Map<string, number>, block: RowObject): void {
  switch (block["type"]) {
    case "text":
      addTo(parts, "assistant", textAt(block, "text")?.length ?? 0);
      break;
    case "thinking":
    case "redacted_thinking":
      // When the thinking text is omitted, the signature is sent instead, and grows with it.
      addTo(parts, "thinking", (textAt(block, "thinking") ?? textAt(block, "signature"))?.length ?? 0);
      addTo(parts, "thinking", textAt(block, "data")?.length ?? 0);
      break;
    case "tool_use":
    case "server_tool_use":
      addTo(parts, "tool-calls", inputChars(block) + (textAt(block, "name")?.length ?? 0));
      break;
    default:
      addTo(parts, "assistant", textAt(block, "text")?.length ?? 0);
  }
}

export function inputChars(block: RowObject): number {
  const input = objectAt(block, "input");
  return input === null ? 0 : jsonChars(input);
}

function jsonChars(value: RowObject): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    // JSON nested deeper than the stack allows can be parsed but not serialised. No real tool call looks like that.
    return 0;
  }
}

/** Adds a tool's result. The agent appends its own reminders to a tool's output: they are counted separately. */
function addResult(parts: Map<string, number>, name: string, content: unknown): void {
  const texts = typeof content === "string" ? [content] : blocksOf(content).map((block) => block["text"]);
  let reminded = 0;
  for (const text of texts) {
    if (typeof text !== "string") continue;
    for (let start = text.indexOf(reminder); start !== -1;) {
      const close = text.indexOf(reminderEnd, start);
      const end = close === -1 ? text.length : close + reminderEnd.length;
      addTo(parts, kindOfText(text.slice(start, end), true), end - start);
      reminded += end - start;
      start = text.indexOf(reminder, end);
    }
  }
  addTo(parts, name, contentChars(content) - reminded);
}

/**
 * Names the kind of a text. The agent's own additions are wrapped in reminders: instructions files and the skills list
 * are recognised by their headings.
 */
function kindOfText(text: string, isSystem: boolean): string {
  if (!isSystem && !text.startsWith(reminder)) return isSummary(text) ? "summary" : "user";
  const opening = text.slice(0, openingChars);
  if (opening.includes("skills are available")) return "skills";
  if (/instructions are shown below|# claudeMd|Contents of .{0,500}\.md/u.test(opening)) return "memory";
  return "attachments";
}

function isSummary(text: string): boolean {
  return text.startsWith("This session is being continued from a previous conversation");
}

function blocksOf(content: unknown): RowObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** A JSON object of unknown members. */
export type RowObject = Readonly<Record<string, unknown>>;

/** The object at a key, or null. */
export function objectAt(row: RowObject | null, key: string): RowObject | null {
  const value = row?.[key];
  return isObject(value) ? value : null;
}

/** The text at a key, or null when it is missing or empty. */
export function textAt(row: RowObject | null, key: string): string | null {
  const value = row?.[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The list at a key, or an empty one. */
export function listAt(row: RowObject | null, key: string): readonly unknown[] {
  const value: unknown = row?.[key];
  return Array.isArray(value) ? value : [];
}

export function objectsAt(row: RowObject | null, key: string): RowObject[] {
  return listAt(row, key).filter(isObject);
}

/** The value as a whole, non-negative, safe integer, or null: characters, milliseconds, messages. */
export function countAt(row: RowObject | null, key: string): number | null {
  const value = row?.[key];
  if (typeof value !== "number" || !(value >= 0)) return null;
  const count = Math.round(value);
  return Number.isSafeInteger(count) ? count : null;
}

/**
 * Returns the number of tokens cleared from a response's context, from its `context_management`: as reported by the
 * provider, or as estimated by the agent. Each response repeats the sum of all edits so far. Undefined for a row
 * without edits.
 */
export function clearedTokens(edits: unknown): number | undefined {
  if (!isObject(edits)) return undefined;
  const applied = objectsAt(edits, "applied_edits").reduce(
    (sum, edit) => sum + (countAt(edit, "cleared_input_tokens") ?? 0),
    0,
  );
  return Math.max(applied, countAt(edits, "client_estimated_cleared_input_tokens") ?? 0);
}
