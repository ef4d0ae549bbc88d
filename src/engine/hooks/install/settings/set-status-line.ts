import { isObject } from "../../../base/parse.ts";
import { sentence } from "../../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import { fail, succeed, type Result } from "../../../base/result.ts";

import { onlyMember } from "./install-settings-tree.ts";
import { body, edited, parseJsonDocument, valueOf, type JsonDocument } from "./json-document.ts";
import { appendMember, removeChild, replaceValue } from "./json-edit.ts";
import type { TextReason } from "./set-hooks.ts";
import { chainedLine, type ChainedLine } from "./status-line-command.ts";

/** Creates a status line command that shows what the given one showed. */
export type LineMaker = (chained: ChainedLine) => string;

const none: ChainedLine = { command: "", text: "" };

interface FoundLine {
  readonly root: Node;
  readonly property: Node | null;
  readonly node: Node | null;
  readonly value: Readonly<Record<string, unknown>> | null;
  /** The chained status line; null where the current one is not purser's. */
  readonly chained: ChainedLine | null;
}

/**
 * Returns the text with purser's status line, which chains the existing one: its padding and other settings stay. A status line of
 * an unknown kind is left as it is. Idempotent.
 */
export function withStatusLine(text: string, make: LineMaker): Result<string, TextReason> {
  const found = find(text);
  if (!found.ok) return found;
  const { document, line } = found.value;
  if (line === null) return succeed(text);
  const { root, node, value, chained } = line;
  if (node === null) {
    const made = { type: "command", command: make(none) };
    return checked(text, edited(document, appendMember(document, root, "statusLine", made)));
  }
  if (value === null) return succeed(text);
  const own = chained ?? { command: String(value["command"]), text: textOf(document, node) };
  const wanted = { ...value, command: make(own) };
  if (isDeepStrictEqual(value, wanted)) return succeed(text);
  return checked(text, edited(document, replaceValue(document, node, wanted)));
}

/** Restores the user's own status line, or removes the setting if there was none. */
export function withoutStatusLine(text: string): Result<string, TextReason> {
  const found = find(text);
  if (!found.ok) return found;
  const { document, line } = found.value;
  const { root, property = null, node = null, chained = null } = line ?? {};
  if (root === undefined || property === null || node === null || chained === null) return succeed(text);
  const edits =
    chained.text === ""
      ? removeChild(document, root, property)
      : [{ offset: node.offset, length: node.length, content: chained.text }];
  return checked(text, edited(document, edits));
}

/** Whether the status line is purser's. */
export function hasStatusLine(text: string): boolean {
  const found = find(text);
  return found.ok && (found.value.line?.chained ?? null) !== null;
}

function find(text: string): Result<{ document: JsonDocument; line: FoundLine | null }, TextReason> {
  const parsed = parseJsonDocument(text);
  if (!parsed.ok) return parsed;
  const document = parsed.value;
  const { root } = document;
  if (root?.type !== "object") return succeed({ document, line: null });
  const member = onlyMember(root, "statusLine");
  if (!member.ok) return member;
  if (member.value === null)
    return succeed({ document, line: { root, property: null, node: null, value: null, chained: null } });
  const { property, value: node } = member.value;
  const current: unknown = valueOf(node);
  const isCommand =
    isObject(current) && current["type"] === "command" && typeof current["command"] === "string";
  const value = isCommand ? current : null;
  const chained = value === null ? null : chainedLine(String(value["command"]));
  return succeed({ document, line: { root, property, node, value, chained } });
}

function textOf(document: JsonDocument, { offset, length }: Node): string {
  return body(document).slice(offset, offset + length);
}

/** Final check: everything but the status line means the same as before. */
function checked(before: string, after: string): Result<string, TextReason> {
  const [old, now] = [parseJsonDocument(before), parseJsonDocument(after)];
  if (!old.ok || !now.ok) return fail("unsafe_edit", sentence("the change would leave it broken"));
  return isDeepStrictEqual(rest(old.value), rest(now.value))
    ? succeed(after)
    : fail("unsafe_edit", sentence("the change would touch more than the status line"));
}

function rest({ root }: JsonDocument): unknown {
  const value: unknown = root === null ? {} : valueOf(root);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== "statusLine"))
    : value;
}
