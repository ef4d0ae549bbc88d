import { isObject } from "../../../base/parse.ts";
import { sentence } from "../../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import type { Edit } from "jsonc-parser";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { isOwnHandler, type HookEntry, type HookFormat } from "./install-settings-entry.ts";
import { readHookTree, type HookTree, type OwnHandler } from "./install-settings-tree.ts";
import { edited, parseJsonDocument, valueOf, type JsonDocument } from "./json-document.ts";
import { appendElement, appendMember, printDocument, removeChild, replaceValue } from "./json-edit.ts";

export type TextReason = "not_json" | "other_shape" | "unsafe_edit";

/** Returns the next edits, or null when nothing is left to do. */
type NextEdit = (document: JsonDocument, tree: HookTree) => readonly Edit[] | null;

/**
 * Returns the text with exactly these hooks of purser's, and everything else unchanged byte for byte. Existing hooks of ours stay
 * where they are: an old address or path is replaced in place, unwanted ones are removed, missing ones are added. Idempotent.
 */
export function withHooks(
  text: string,
  wanted: readonly HookEntry[],
  format: HookFormat,
): Result<string, TextReason> {
  const parsed = parseJsonDocument(text);
  if (!parsed.ok) return parsed;
  // In a file of only white space, the content goes after it.
  if (parsed.value.root === null) return succeed(text + newDocument(wanted, format));
  const done = repeat(
    text,
    format,
    (document, tree) =>
      removal(document, obsolete(tree, wanted), new Set()) ??
      repair(document, tree, wanted) ??
      addition(document, tree, wanted, format),
  );
  if (!done.ok) return done;
  return checked(text, done.value, format, wanted);
}

/**
 * Returns the text without purser's hooks, and without the containers that held only them.
 *
 * @param kept containers that are the user's own and stay even when empty: `hooks`, `hooks.Stop`
 */
export function withoutHooks(
  text: string,
  format: HookFormat,
  kept: ReadonlySet<string>,
): Result<string, TextReason> {
  const done = repeat(text, format, (document, tree) => removal(document, tree.own[0], kept));
  return done.ok ? checked(text, done.value, format, []) : done;
}

export function newDocument(wanted: readonly HookEntry[], format: HookFormat): string {
  return printDocument({ ...format.head, hooks: eventsOf(wanted, format) });
}

/** Names of the hook containers in a text, as `withoutHooks` takes them. */
export function containersIn(text: string, format: HookFormat): Set<string> {
  const parsed = parseJsonDocument(text);
  const tree = parsed.ok ? readHookTree(parsed.value, format) : parsed;
  const found = tree.ok ? tree.value : null;
  const events = [...(found?.events.keys() ?? [])].map((event) => `hooks.${event}`);
  return new Set(found?.hooks ? ["hooks", ...events] : []);
}

/** More than any settings file needs; an edit that does not terminate is a bug, and changes nothing. */
const maxEdits = 1000;

function repeat(text: string, format: HookFormat, next: NextEdit): Result<string, TextReason> {
  let now = text;
  for (let count = 0; count < maxEdits; count += 1) {
    const parsed = parseJsonDocument(now);
    if (!parsed.ok) return count === 0 ? parsed : fail("unsafe_edit", parsed.detail);
    const tree = readHookTree(parsed.value, format);
    if (!tree.ok) return tree;
    const edits = tree.value === null ? null : next(parsed.value, tree.value);
    if (edits === null) return succeed(now);
    now = edited(parsed.value, edits);
  }
  return fail("unsafe_edit", sentence("it has more hooks than can be changed"));
}

function obsolete({ own }: HookTree, wanted: readonly HookEntry[]): OwnHandler | undefined {
  return own.find(
    ({ event, matcher }, index) =>
      !wanted.some((entry) => entry.event === event && !isFormer(matcher, entry)) ||
      own.findIndex((other) => other.event === event) < index,
  );
}

/** Whether an event still has a narrower matcher that an earlier version of purser set. */
export function isFormer(
  matcher: string | null,
  entry: Pick<HookEntry, "matcher" | "formerMatcher">,
): boolean {
  return matcher !== null && matcher !== entry.matcher && matcher === entry.formerMatcher;
}

function removal(
  document: JsonDocument,
  handler: OwnHandler | undefined,
  kept: ReadonlySet<string>,
): Edit[] | null {
  if (handler === undefined) return null;
  const { within } = handler;
  // A container with a single child is removed from its own container instead.
  const isSpared = ({ container }: (typeof within)[number], index: number) =>
    (container.children ?? []).length > 1 ||
    index === within.length - 1 ||
    kept.has(within[index + 1]?.name ?? "");
  const from = within.find((each, index) => isSpared(each, index));
  return from === undefined ? null : removeChild(document, from.container, from.child);
}

function repair(document: JsonDocument, { own }: HookTree, wanted: readonly HookEntry[]): Edit[] | null {
  for (const { event, node, value } of own) {
    const entry = wanted.find((each) => each.event === event);
    if (entry !== undefined && !isDeepStrictEqual(value, entry.handler))
      return replaceValue(document, node, entry.handler);
  }
  return null;
}

function addition(
  document: JsonDocument,
  { root, hooks, events, own }: HookTree,
  wanted: readonly HookEntry[],
  format: HookFormat,
): Edit[] | null {
  const missing = wanted.filter(({ event }) => !own.some((each) => each.event === event));
  const [entry] = missing;
  if (entry === undefined) return null;
  if (hooks === null) return appendMember(document, root, "hooks", eventsOf(missing, format));
  const event = events.get(entry.event);
  const value = elementOf(entry, format);
  if (event === undefined) return appendMember(document, hooks.value, entry.event, [value]);
  return appendElement(document, event.value, value);
}

function eventsOf(entries: readonly HookEntry[], format: HookFormat): Record<string, unknown> {
  return Object.fromEntries(entries.map((entry) => [entry.event, [elementOf(entry, format)]]));
}

function elementOf({ matcher, handler }: HookEntry, { isGrouped }: HookFormat): HookEntry["handler"] {
  return isGrouped ? { ...(matcher === null ? {} : { matcher }), hooks: [handler] } : handler;
}

/** Before anything is written: all else means the same, and our hooks are exactly those wanted. */
function checked(
  before: string,
  after: string,
  format: HookFormat,
  wanted: readonly HookEntry[],
): Result<string, TextReason> {
  const [old, now] = [parseJsonDocument(before), parseJsonDocument(after)];
  if (!old.ok || !now.ok) return fail("unsafe_edit", sentence("the change would leave it broken"));
  const tree = readHookTree(now.value, format);
  const found = tree.ok ? (tree.value?.own ?? []) : [];
  const isRight =
    found.length === wanted.length &&
    wanted.every((entry) =>
      found.some(({ event, value }) => event === entry.event && isDeepStrictEqual(value, entry.handler)),
    );
  if (!isRight || !isDeepStrictEqual(foreign(old.value), foreign(now.value)))
    return fail("unsafe_edit", sentence("the change would touch more than purser's own hooks"));
  return succeed(after);
}

/** The meaning of a document without our hooks and without empty containers. */
function foreign({ root }: JsonDocument): unknown {
  const value: unknown = root === null ? {} : valueOf(root);
  if (!isObject(value) || !isObject(value["hooks"])) return value;
  const events = Object.entries(value["hooks"]).flatMap(([event, list]) => {
    const rest = Array.isArray(list) ? list.flatMap((each: unknown) => foreignPart(each)) : [list];
    return rest.length === 0 ? [] : [[event, rest] as const];
  });
  const others = Object.entries(value).filter(([name]) => name !== "hooks");
  return Object.fromEntries(
    events.length === 0 ? others : [...others, ["hooks", Object.fromEntries(events)]],
  );
}

function foreignPart(element: unknown): unknown[] {
  if (isOwnHandler(element)) return [];
  if (!isObject(element) || !Array.isArray(element["hooks"])) return [element];
  const list: unknown[] = element["hooks"];
  const rest = list.filter((handler) => !isOwnHandler(handler));
  return rest.length === 0 ? [] : [{ ...element, hooks: rest }];
}
