import * as z from "zod/mini";
import { cleanText } from "../../base/text.ts";
import {
  type HookAnswer,
  type EventNamed,
  toolCallOf,
  mayReplace,
  type HookEvent,
  isNestedCall,
} from "../../hooks/event.ts";
import type { HookContext } from "../../hooks/hooks-handler.ts";
import type { HookCaller } from "../../hooks/program.ts";
import { type DeliveredText, deliveredText } from "./delivered-text.ts";
import { absolutePath } from "./file-command.ts";
import {
  isOfAgent,
  isOfSameAgent,
  maxCallLength,
  maxChainLength,
  maxNameLength,
  maxLeftOut,
  type TextLeftOut,
  type TextRecord,
  type WasteState,
  chainOf,
  withoutFile,
} from "./waste-state.ts";

/** Claude Code's own answer to a repeated read, without the text. */
const unchangedResponse = z.looseObject({ type: z.literal("file_unchanged") });
const linesInput = z.looseObject({
  offset: z._default(z.coerce.number().check(z.int(), z.positive()), 1),
  limit: z.optional(z.coerce.number().check(z.int(), z.positive())),
});

/** A read that the agent answered by itself, without the text. */
interface AnsweredByAgent {
  /** Absolute. */
  readonly file: string;
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
  const wanted = linesInput.safeParse(event.tool_input);
  if (file === null || !wanted.success) return null;
  const { offset: first, limit } = wanted.data;
  return { file, named: call.file, first, last: limit === undefined ? null : first + limit - 1 };
}

/** Records that an agent's context has a pointer instead of a text. */
export function withLeftOut(state: WasteState, chain: string, { file, lines }: DeliveredText): WasteState {
  return lines === null ? state : withPointer(state, { chain, file, ...lines, given: null });
}

function withPointer(state: WasteState, text: TextLeftOut): WasteState {
  if (text.file.length > maxNameLength || text.chain.length > maxChainLength) return state;
  const others = state.leftOut.filter((each) => !isSameText(each, text));
  return { ...state, leftOut: [...others, text].slice(-maxLeftOut) };
}

interface Given extends Pick<DeliveredText, "file" | "lines"> {
  readonly chain: string;
  readonly call: string | undefined;
}

/** Records that a call later gave an agent the text of some lines. */
export function withGiven(state: WasteState, { file, lines, chain, call }: Given): WasteState {
  if (lines === null) return state;
  const { first, last } = lines;
  const isGiven = (each: TextLeftOut) =>
    each.file === file && isOfSameAgent(each.chain, chain) && first <= each.first && last >= each.last;
  if (!state.leftOut.some(isGiven)) return state;
  const given = { chain, call: call === undefined || call.length > maxCallLength ? null : call };
  return {
    ...state,
    leftOut: state.leftOut.map((each) => (isGiven(each) ? { ...each, given } : each)),
  };
}

/**
 * Returns the requested texts that a pointer replaced. A subagent may have started with the conversation of the session's own
 * agent and its memory of reads: texts that it has not read itself count as left out, too.
 */
function leftOutOf(state: WasteState, chain: string, wanted: AnsweredByAgent): TextLeftOut[] {
  const found = state.leftOut.filter((each) => isAmong(each, wanted));
  const own = found.filter((each) => isOfSameAgent(each.chain, chain));
  if (own.length > 0 || isOfAgent(chain, "") || state.texts.some((each) => hasRead(each, chain, wanted)))
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

/** Returns the output with the requested lines, in place of the agent's own answer. @param text the file's, null if unreadable */
function givenInFull(
  wanted: AnsweredByAgent,
  texts: readonly TextLeftOut[],
  text: string | null,
): NonNullable<HookAnswer["output"]> {
  const all = text === null || isNoText(text) ? null : text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  const last = wanted.last ?? Math.max(...texts.map((each) => each.last));
  const { first } = wanted;
  const shown = all?.slice(first - 1, last) ?? [];
  const filePath = wanted.named;
  if (all === null || shown.length === 0) {
    const words = notReadable(wanted, last);
    const file = { filePath, content: words, numLines: 1, startLine: 0, totalLines: last };
    return { text: words, response: { type: "text", file } };
  }
  const content = shown.join("\n");
  const file = { filePath, content, numLines: shown.length, startLine: first, totalLines: all.length };
  return { text: content, response: { type: "text", file } };
}

/** Tests for bytes that are not UTF-8. The agent may know the encoding. */
function isNoText(text: string): boolean {
  return text.includes("\0") || text.includes("\uFFFD");
}

/** The agent treats a read of other lines as a new one. */
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

/** Records that texts were given in place of an agent's own answer. From then on it gets the file's text from every tool. */
function withGivenTexts(
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

interface Ports {
  readonly sessions: { readonly of: (session: string) => WasteState };
  readonly change: (event: Pick<HookEvent, "session_id">, how: (state: WasteState) => WasteState) => void;
  /** Returns a file's text; null if it cannot be read quickly. */
  readonly textOf: (file: string) => Promise<string | null>;
  /** Returns the first of some calls with an output that certainly is in the context. */
  readonly stillInContext: (
    event: EventNamed<"PostToolUse">,
    calls: readonly { readonly call: string | null }[],
    program: HookCaller,
  ) => Promise<{ readonly call: string | null } | null>;
}

interface LeftOutTexts {
  /** Gives the text that a pointer replaced, if the agent answered the repeated read by itself. */
  readonly give: (
    event: EventNamed<"PostToolUse">,
    wanted: AnsweredByAgent,
    about: HookContext,
  ) => Promise<HookAnswer | null>;
  /** Gives it even while guards are off: the pointer has promised it. */
  readonly whileOff: (event: EventNamed<"PostToolUse">, about: HookContext) => Promise<HookAnswer | null>;
}

export function leftOutTexts({ sessions, change, textOf, stillInContext }: Ports): LeftOutTexts {
  const give: LeftOutTexts["give"] = async (event, wanted, { program }) => {
    const chain = chainOf(event);
    const found = leftOutOf(sessions.of(event.session_id), chain, wanted);
    if (found.length === 0 || !mayReplace("output", event, program)) return null;
    for (const { given } of found) {
      if (given?.chain === chain) continue;
      const calls = given === null ? [] : [given];
      if ((await stillInContext(event, calls, program)) !== null) continue;
      const output = givenInFull(wanted, found, await textOf(wanted.file));
      change(event, (state) => withGivenTexts(state, found, { chain, call: event.tool_use_id }));
      return { output };
    }
    return null;
  };
  return {
    give,
    whileOff: async (event, about) => {
      if (sessions.of(event.session_id).leftOut.length === 0 || isNestedCall(event)) return null;
      const call = toolCallOf(event);
      if (call.kind === "edit") {
        const file = call.file === null ? null : absolutePath(call.file, event.cwd ?? null);
        change(event, (state) => withoutFile(state, file));
        return null;
      }
      const wanted = answeredByAgent(event);
      if (wanted !== null) return await give(event, wanted, about);
      const read = deliveredText(event, []);
      const shown = { chain: chainOf(event), call: event.tool_use_id };
      if (read !== null) change(event, (state) => withGiven(state, { ...read, ...shown }));
      return null;
    },
  };
}
