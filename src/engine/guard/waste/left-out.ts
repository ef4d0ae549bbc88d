import * as z from "zod/mini";
import { cleanText } from "../../base/text.ts";
import { type HookAnswer, type EventNamed, toolCallOf } from "../../hooks/event.ts";
import type { DeliveredText } from "./delivered-text.ts";
import { absolutePath } from "./file-command.ts";
import { isOfAgent, isOfSameAgent } from "./own-context.ts";
import {
  longestCall,
  longestChain,
  longestName,
  mostLeftOut,
  type TextLeftOut,
  type TextRecord,
  type WasteState,
} from "./waste-state.ts";

/** What Claude Code answers by itself to a read that it takes for a repetition, instead of the text. */
const unchangedResponse = z.looseObject({ type: z.literal("file_unchanged") });
const askedLines = z.looseObject({
  offset: z._default(z.coerce.number().check(z.int(), z.positive()), 1),
  limit: z.optional(z.coerce.number().check(z.int(), z.positive())),
});

/** A read that the agent answered by itself, without the text. */
export interface AnsweredByAgent {
  /** Absolute. */
  readonly file: string;
  /** As the call named it. */
  readonly named: string;
  readonly first: number;
  /** Null for the end of the file. */
  readonly last: number | null;
}

/** Returns the read that an agent answered with "unchanged" only; null for other calls. */
export function answeredByAgent(event: EventNamed<"PostToolUse">): AnsweredByAgent | null {
  const call = toolCallOf(event);
  if (call.kind !== "read" || call.file === null) return null;
  if (!unchangedResponse.safeParse(event.tool_response).success) return null;
  const file = absolutePath(call.file, event.cwd ?? null);
  const asked = askedLines.safeParse(event.tool_input);
  if (file === null || !asked.success) return null;
  const { offset: first, limit } = asked.data;
  return { file, named: call.file, first, last: limit === undefined ? null : first + limit - 1 };
}

/** Remembers that a pointer stands in an agent's context in the place of a text. */
export function withLeftOut(state: WasteState, chain: string, { file, lines }: DeliveredText): WasteState {
  return lines === null ? state : withPointer(state, { chain, file, ...lines, given: null });
}

function withPointer(state: WasteState, text: TextLeftOut): WasteState {
  if (text.file.length > longestName || text.chain.length > longestChain) return state;
  const others = state.leftOut.filter((each) => !isSameText(each, text));
  return { ...state, leftOut: [...others, text].slice(-mostLeftOut) };
}

interface Given extends Pick<DeliveredText, "file" | "lines"> {
  readonly chain: string;
  readonly call: string | undefined;
}

/** Remembers that a call gave an agent the text of some lines after all. */
export function withGiven(state: WasteState, { file, lines, chain, call }: Given): WasteState {
  if (lines === null) return state;
  const { first, last } = lines;
  const isGiven = (each: TextLeftOut) =>
    each.file === file && isOfSameAgent(each.chain, chain) && first <= each.first && last >= each.last;
  if (!state.leftOut.some(isGiven)) return state;
  const given = { chain, call: call === undefined || call.length > longestCall ? null : call };
  return {
    ...state,
    leftOut: state.leftOut.map((each) => (isGiven(each) ? { ...each, given } : each)),
  };
}

/**
 * Returns the texts among the lines asked for that a pointer replaced. A subagent may have begun with the conversation of the
 * session's own agent, and with its memory of what was read: what it has not read by itself counts as left out there, too.
 */
export function leftOutOf(state: WasteState, chain: string, asked: AnsweredByAgent): TextLeftOut[] {
  const found = state.leftOut.filter((each) => isAmong(each, asked));
  const own = found.filter((each) => isOfSameAgent(each.chain, chain));
  if (own.length > 0 || isOfAgent(chain, "") || state.texts.some((each) => hasRead(each, chain, asked)))
    return own;
  return found
    .filter((each) => isOfAgent(each.chain, ""))
    .map((inherited) => ({ ...inherited, chain, given: null }));
}

function isAmong(text: TextLeftOut, { file, first, last }: AnsweredByAgent): boolean {
  return text.file === file && text.last >= first && (last === null || text.first <= last);
}

function hasRead(text: TextRecord, chain: string, { file, first }: AnsweredByAgent): boolean {
  return text.file === file && isOfSameAgent(text.chain, chain) && text.first === first;
}

/** Returns the output with the lines asked for, in place of the agent's own answer. @param text the file's, null where it cannot be read */
export function givenInFull(
  asked: AnsweredByAgent,
  texts: readonly TextLeftOut[],
  text: string | null,
): NonNullable<HookAnswer["output"]> {
  const all = text === null || isNoText(text) ? null : text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  const last = asked.last ?? Math.max(...texts.map((each) => each.last));
  const { first } = asked;
  const shown = all?.slice(first - 1, last) ?? [];
  const filePath = asked.named;
  if (all === null || shown.length === 0) {
    const words = notReadable(asked, last);
    const file = { filePath, content: words, numLines: 1, startLine: 0, totalLines: last };
    return { text: words, response: { type: "text", file } };
  }
  const content = shown.join("\n");
  const file = { filePath, content, numLines: shown.length, startLine: first, totalLines: all.length };
  return { text: content, response: { type: "text", file } };
}

/** Tests for bytes that are not UTF-8. The agent may know their encoding. */
function isNoText(text: string): boolean {
  return text.includes("\0") || text.includes("\uFFFD");
}

/** The agent takes a read of other lines for a new one. */
function notReadable({ file, first }: AnsweredByAgent, last: number): string {
  return (
    `[Context Purser (unchanged-read): not a line of the file. Lines ${first}-${last} of ${cleanText(file)} were left out before, and cannot ` +
    `be given here. Read the file with offset ${first} and limit ${last - first + 2}: a read of other lines gives the text.]`
  );
}

function isSameText(one: TextLeftOut, other: TextLeftOut): boolean {
  const isSame = one.file === other.file && isOfSameAgent(one.chain, other.chain);
  return isSame && one.first === other.first && one.last === other.last;
}

/** Remembers that texts were given in the place of an agent's own answer. From now on it has the file's text in full from every tool. */
export function withGivenTexts(
  state: WasteState,
  texts: readonly TextLeftOut[],
  given: Pick<Given, "chain" | "call">,
): WasteState {
  const next = texts.reduce(
    (last, text) => withGiven(withPointer(last, text), { ...given, file: text.file, lines: text }),
    state,
  );
  const isMeant = (each: TextRecord) =>
    each.named === "once" &&
    isOfSameAgent(each.chain, given.chain) &&
    texts.some(({ file }) => each.file === file);
  return {
    ...next,
    texts: next.texts.map((each) => (isMeant(each) ? { ...each, named: "insisted" as const } : each)),
  };
}
