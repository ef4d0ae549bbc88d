import * as z from "zod/mini";
import { isOfAgent, isOfSameAgent } from "./own-context.ts";

/** Beyond these numbers the oldest of a session are forgotten. */
const mostTexts = 60;
const mostFailures = 10;
const mostNamed = 40;
export const mostLeftOut = 40;

export const longestName = 1000;
export const longestCall = 200;
export const longestChain = 600;
const chain = z.string().check(z.maxLength(longestChain));
const hash = z.string().check(z.length(32));
const line = z.nullable(z.int().check(z.positive()));

/** A text of a file that stands in an agent's context. */
const textRecord = z.object({
  chain,
  /** The call that gave it, by the agent's id; null where it has none. */
  call: z._default(z.nullable(z.string().check(z.maxLength(longestCall))), null),
  /** Whether the user may have taken it back since, which the transcript may show. */
  isDoubtful: z._default(z.boolean(), false),
  file: z.string().check(z.maxLength(longestName)),
  /** Null where its lines are not known. */
  first: line,
  last: z.nullable(z.int().check(z.nonnegative())),
  hash,
  linesHash: hash,
  tool: z.string().check(z.maxLength(100)),
  /** Whether a second call was answered by naming this text, and a third one asked for it in full. */
  named: z.enum(["never", "once", "insisted"]),
});
export type TextRecord = Readonly<z.infer<typeof textRecord>>;

/** Lines of a file that a pointer replaced in an agent's context. */
const textLeftOut = z.object({
  chain,
  file: z.string().check(z.maxLength(longestName)),
  first: z.int().check(z.positive()),
  last: z.int().check(z.nonnegative()),
  /** The call that gave the text later, and its context; null where none did, or where that is doubtful. */
  given: z.nullable(
    z.object({ chain: z.nullable(chain), call: z.nullable(z.string().check(z.maxLength(longestCall))) }),
  ),
});
export type TextLeftOut = Readonly<z.infer<typeof textLeftOut>>;

/** A command that failed, since when nothing was changed. */
const failure = z.object({
  chain,
  /** Hash of the command line. */
  command: hash,
  exitCode: z.nullable(z.int()),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type FailureRecord = Readonly<z.infer<typeof failure>>;

/** Lines of a file that were named or read. */
const namedLines = z.object({
  /** Null where the user named them. */
  chain: z.nullable(chain),
  /** Absolute; the end of a path where the user named it. */
  file: z.string().check(z.maxLength(longestName)),
  first: z.int().check(z.nonnegative()),
  last: z.int().check(z.nonnegative()),
});
export type NamedLines = Readonly<z.infer<typeof namedLines>>;

export const wasteState = z.object({
  /** Time of a call of a tool, exact to a minute. Milliseconds since the epoch. */
  at: z.number(),
  texts: z.array(textRecord).check(z.maxLength(mostTexts)),
  failures: z.array(failure).check(z.maxLength(mostFailures)),
  named: z.array(namedLines).check(z.maxLength(mostNamed)),
  /** An agent's own memory of what it has read outlives compactions and prompts. */
  leftOut: z._default(z.array(textLeftOut).check(z.maxLength(mostLeftOut)), []),
});
export type WasteState = Readonly<z.infer<typeof wasteState>>;

export const emptyWaste: WasteState = { at: 0, texts: [], failures: [], named: [], leftOut: [] };

/**
 * Time without a call after which texts count as gone: agents clear old outputs from a context after its cache has expired. Failures are
 * forgotten sooner, as what they depend on may change by itself. Milliseconds.
 */
const longestPause = 30 * 60_000;
const longestFailure = 10 * 60_000;
const minute = 60_000;

/** Returns the state at a call of a tool. After a long pause, or where the clock was set back, no text counts as present. */
export function atCall(state: WasteState, now: number): WasteState {
  const pause = now - state.at;
  const isGone = pause > longestPause || pause < -minute;
  if (isGone) return { ...state, at: now, texts: [], failures: [] };
  const failures = state.failures.filter(({ at }) => Math.abs(now - at) <= longestFailure);
  const isSame = failures.length === state.failures.length;
  if (isSame && pause < minute) return state;
  return { ...state, at: pause < minute ? state.at : now, failures: isSame ? state.failures : failures };
}

/** Forgets the texts of an agent's context; of all contexts of a session where none is given. */
export function withoutTexts(state: WasteState, of?: string): WasteState {
  const isGone = ({ chain }: { readonly chain: string }) => of === undefined || isOfAgent(chain, of);
  const texts = state.texts.filter((each) => !isGone(each));
  const isGiven = state.leftOut.some((each) => each.given !== null && isGone(each));
  if (texts.length === state.texts.length && !isGiven) return state;
  const leftOut = state.leftOut.map((each) => (isGone(each) ? { ...each, given: null } : each));
  return { ...state, texts, leftOut };
}

/** Forgets the texts of a file that is edited, which its agent reads again; all texts where it is not known which. */
export function withoutFile(state: WasteState, file: string | null): WasteState {
  const isOther = (each: { readonly file: string }) => file !== null && each.file !== file;
  const [texts, leftOut] = [state.texts.filter(isOther), state.leftOut.filter((each) => each.file !== file)];
  const isSame = texts.length === state.texts.length && leftOut.length === state.leftOut.length;
  return isSame ? state : { ...state, texts, leftOut };
}

/** Forgets everything but the pointers that agents still have. */
export function onlyLeftOut(state: WasteState): WasteState {
  const { leftOut, at, texts, failures, named } = state;
  const isSame = at === 0 && texts.length + failures.length + named.length === 0;
  return isSame ? state : { ...emptyWaste, leftOut };
}

export function withoutFailures(state: WasteState): WasteState {
  return state.failures.length === 0 ? state : { ...state, failures: [] };
}

/**
 * Holds the texts of the session's own agent for doubtful, as the user may take the conversation back with a new prompt.
 * @param isResumed drops those of subagents: their contexts no longer are
 */
export function doubted(state: WasteState, { isResumed }: { readonly isResumed: boolean }): WasteState {
  if (state.texts.length + state.leftOut.length === 0) return state;
  const texts = state.texts
    .filter((each) => !isResumed || isOfAgent(each.chain, ""))
    .map((each) => (isOfAgent(each.chain, "") ? { ...each, isDoubtful: true } : each));
  const leftOut = state.leftOut.map((each) =>
    each.given === null ? each : { ...each, given: { ...each.given, chain: null } },
  );
  return { ...state, texts, leftOut };
}

/** Remembers a text, in place of those of the same context, and of doubtful ones, that it overlaps. */
export function withText(state: WasteState, text: TextRecord): WasteState {
  if (text.file.length > longestName || text.chain.length > longestChain) return state;
  const isReplaced = (each: TextRecord) =>
    (each.chain === text.chain || (each.isDoubtful && isOfSameAgent(each.chain, text.chain))) &&
    overlap(each, text);
  const others = state.texts.filter((each) => !isReplaced(each));
  return { ...state, texts: [...others, text].slice(-mostTexts) };
}

export function withFailure(state: WasteState, failed: FailureRecord): WasteState {
  const others = state.failures.filter(
    (each) => each.command !== failed.command || each.chain !== failed.chain,
  );
  return { ...state, failures: [...others, failed].slice(-mostFailures) };
}

export function withNamed(state: WasteState, named: readonly NamedLines[]): WasteState {
  if (named.length === 0) return state;
  const fitting = named.filter(({ file }) => file.length <= longestName);
  const isNew = (each: NamedLines) => !fitting.some((other) => sameNamed(each, other));
  return { ...state, named: [...state.named.filter(isNew), ...fitting].slice(-mostNamed) };
}

function sameNamed(one: NamedLines, other: NamedLines): boolean {
  return one.file === other.file && one.chain === other.chain;
}

function overlap(one: TextRecord, other: TextRecord): boolean {
  if (one.file !== other.file) return false;
  if (one.first === null || other.first === null || one.last === null || other.last === null) return true;
  return one.first <= other.last && other.first <= one.last;
}
