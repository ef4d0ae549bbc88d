import path from "node:path";
import { isObject, parseJson } from "../../../base/parse.ts";
import { sentence } from "../../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { anyShell, posix, type Shim } from "./install-settings-entry.ts";
import { onlyMember } from "./install-settings-tree.ts";
import { body, edited, parseJsonDocument, valueOf, type JsonDocument } from "./json-document.ts";
import { appendMember, removeChild, replaceValue } from "./json-edit.ts";
import type { TextReason } from "./set-hooks.ts";

/** Marks a status line's command as purser's. The previous status line follows it. */
const mark = "--purser-status-line=";

export interface ChainedLine {
  /** Empty if there was none. */
  readonly command: string;
  /** Text of the whole setting as it was in the file. Empty if there was none. */
  readonly text: string;
}

/** Loads purser's program. If that is missing, runs the user's own command instead. */
const guarded =
  "try{require(process.argv[1])}catch{const{command:c}=JSON.parse(Buffer.from(process.argv[2].split('=')[1],'base64url'));" +
  "if(c)require('child_process').spawn(c,{shell:true,stdio:'inherit'}).on('exit',x=>process.exitCode=x??1);else process.stdin.resume()}";

/** Builds a command that forwards the agent's status line input to purser and shows what the user's own command prints. */
export function statusLineCommand(
  { path: shim, runtime }: Shim,
  chained: ChainedLine,
  platform: NodeJS.Platform,
): string {
  const payload = Buffer.from(JSON.stringify(chained)).toString("base64url");
  const line = `${runtime} -e "${guarded}" ${anyShell(programBeside(shim))} ${mark}${payload}`;
  if (platform === "win32" || chained.command === "") return line;
  // Without Node, the user's own status line still runs.
  const own = `sh -c ${posix(chained.command)}`;
  return `if command -v ${runtime} >/dev/null 2>&1; then ${line}; else ${own}; fi`;
}

/** Reads the status line chained in a command of ours; null for any other command. */
export function chainedLine(command: string): ChainedLine | null {
  const { payload } = /--purser-status-line=(?<payload>[\w-]*)/u.exec(command)?.groups ?? {};
  if (payload === undefined) return null;
  const parsed = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const isLine = typeof parsed === "object" && parsed !== null && "command" in parsed && "text" in parsed;
  if (!isLine || typeof parsed.command !== "string" || typeof parsed.text !== "string") return null;
  return { command: parsed.command, text: parsed.text };
}

function programBeside(shim: string): string {
  const { dir, ext } = path.parse(shim);
  return path.join(dir, ext === ".ts" ? "status-line.ts" : "status-line.cjs");
}

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
