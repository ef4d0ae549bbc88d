import * as z from "zod/mini";
import type { HookEvent } from "../../hooks/event.ts";

/**
 * Returns the context in which a call's output stays: a subagent's, or the session's own agent since the user's last prompt. A user
 * may rewind the conversation to an earlier prompt, which no hook reports. Within one prompt nothing is rewound.
 */
export function chainOf({
  agent_id: agent,
  prompt_id: prompt = "",
}: Pick<HookEvent, "agent_id" | "prompt_id">): string {
  return agent === undefined ? `\n${prompt}` : agentChain(agent);
}

/** Whether two contexts are of the same agent. Their prompts may differ. */
export function isOfSameAgent(one: string, other: string): boolean {
  return agentOfChain(one) === agentOfChain(other);
}

/** Whether a context is of a subagent, or with an empty id of the session's own agent. */
export function isOfAgent(chain: string, agent: string): boolean {
  return agentOfChain(chain) === agent;
}

function agentOfChain(chain: string): string {
  return chain.split("\n", 1)[0] ?? "";
}

/** Returns the start of an agent's contexts. */
export function agentChain(agent: string | undefined): string {
  return agent ?? "";
}

/** Maximum items of a session. Older ones are dropped. */
const maxTexts = 60;
const maxFailures = 10;
const maxNamed = 40;
export const maxLeftOut = 40;

export const maxNameLength = 1000;
export const maxCallLength = 200;
export const maxChainLength = 600;
const chain = z.string().check(z.maxLength(maxChainLength));
const hash = z.string().check(z.length(32));
const line = z.nullable(z.int().check(z.positive()));

/** A text of a file in an agent's context. */
const textRecord = z.object({
  chain,
  /** The agent's id of the call that gave it; null for none. */
  call: z._default(z.nullable(z.string().check(z.maxLength(maxCallLength))), null),
  /** Whether the user may have rewound past it, which the transcript may show. */
  isDoubtful: z._default(z.boolean(), false),
  file: z.string().check(z.maxLength(maxNameLength)),
  /** Null if its lines are unknown. */
  first: line,
  last: z.nullable(z.int().check(z.nonnegative())),
  hash,
  linesHash: hash,
  tool: z.string().check(z.maxLength(100)),
  /** Whether a second call was answered by a pointer, and a third one requested the text in full. */
  named: z.enum(["never", "once", "insisted"]),
});
export type TextRecord = Readonly<z.infer<typeof textRecord>>;

/** Lines of a file that a pointer replaced in an agent's context. */
const textLeftOut = z.object({
  chain,
  file: z.string().check(z.maxLength(maxNameLength)),
  first: z.int().check(z.positive()),
  last: z.int().check(z.nonnegative()),
  /** The call that gave the text later, and its context; null for none or if doubtful. */
  given: z.nullable(
    z.object({ chain: z.nullable(chain), call: z.nullable(z.string().check(z.maxLength(maxCallLength))) }),
  ),
});
export type TextLeftOut = Readonly<z.infer<typeof textLeftOut>>;

/** A failed command without a change since. */
const failure = z.object({
  chain,
  /** Hash of the command line. */
  command: hash,
  exitCode: z.nullable(z.int()),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
type FailureRecord = Readonly<z.infer<typeof failure>>;

/** Lines of a file that were named or read. */
const namedLines = z.object({
  /** Null if the user named them. */
  chain: z.nullable(chain),
  /** Absolute; if the user named it, the end of a path. */
  file: z.string().check(z.maxLength(maxNameLength)),
  first: z.int().check(z.nonnegative()),
  last: z.int().check(z.nonnegative()),
});
export type NamedLines = Readonly<z.infer<typeof namedLines>>;

export const wasteState = z.object({
  /** Time of the last call, exact to a minute. Milliseconds since the epoch. */
  at: z.number(),
  texts: z.array(textRecord).check(z.maxLength(maxTexts)),
  failures: z.array(failure).check(z.maxLength(maxFailures)),
  named: z.array(namedLines).check(z.maxLength(maxNamed)),
  /** Survives compactions and prompts, like an agent's own memory of reads. */
  leftOut: z._default(z.array(textLeftOut).check(z.maxLength(maxLeftOut)), []),
});
export type WasteState = Readonly<z.infer<typeof wasteState>>;

export const emptyWaste: WasteState = { at: 0, texts: [], failures: [], named: [], leftOut: [] };

/**
 * Time without a call after which texts count as gone: agents clear old outputs from a context after its cache has expired. Failures
 * are dropped sooner, as their causes may change without a call. Milliseconds.
 */
const maxPause = 30 * 60_000;
const maxFailureAge = 10 * 60_000;
const minute = 60_000;

/** Returns the state at a call. After a long pause, or if the clock was set back, no text counts as present. */
export function atCall(state: WasteState, now: number): WasteState {
  const pause = now - state.at;
  const isGone = pause > maxPause || pause < -minute;
  if (isGone) return { ...state, at: now, texts: [], failures: [] };
  const failures = state.failures.filter(({ at }) => Math.abs(now - at) <= maxFailureAge);
  const isSame = failures.length === state.failures.length;
  if (isSame && pause < minute) return state;
  return { ...state, at: pause < minute ? state.at : now, failures: isSame ? state.failures : failures };
}

/** Removes the texts of an agent's contexts; by default of all contexts. */
export function withoutTexts(state: WasteState, of?: string): WasteState {
  const isGone = ({ chain }: { readonly chain: string }) => of === undefined || isOfAgent(chain, of);
  const texts = state.texts.filter((each) => !isGone(each));
  const isGiven = state.leftOut.some((each) => each.given !== null && isGone(each));
  if (texts.length === state.texts.length && !isGiven) return state;
  const leftOut = state.leftOut.map((each) => (isGone(each) ? { ...each, given: null } : each));
  return { ...state, texts, leftOut };
}

/** Removes the texts of an edited file; all texts if the file is unknown. */
export function withoutFile(state: WasteState, file: string | null): WasteState {
  const isOther = (each: { readonly file: string }) => file !== null && each.file !== file;
  const [texts, leftOut] = [state.texts.filter(isOther), state.leftOut.filter((each) => each.file !== file)];
  const isSame = texts.length === state.texts.length && leftOut.length === state.leftOut.length;
  return isSame ? state : { ...state, texts, leftOut };
}

/** Removes everything but the pointers that agents still have. */
export function onlyLeftOut(state: WasteState): WasteState {
  const { leftOut, at, texts, failures, named } = state;
  const isSame = at === 0 && texts.length + failures.length + named.length === 0;
  return isSame ? state : { ...emptyWaste, leftOut };
}

export function withoutFailures(state: WasteState): WasteState {
  return state.failures.length === 0 ? state : { ...state, failures: [] };
}

/**
 * Marks the texts of the session's own agent as doubtful, as the user may rewind the conversation with a new prompt.
 * @param isResumed removes texts of subagents, which no longer exist
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

/** Records a text. Replaces overlapping texts of the same context, and overlapping doubtful ones. */
export function withText(state: WasteState, text: TextRecord): WasteState {
  if (text.file.length > maxNameLength || text.chain.length > maxChainLength) return state;
  const isReplaced = (each: TextRecord) =>
    (each.chain === text.chain || (each.isDoubtful && isOfSameAgent(each.chain, text.chain))) &&
    overlap(each, text);
  const others = state.texts.filter((each) => !isReplaced(each));
  return { ...state, texts: [...others, text].slice(-maxTexts) };
}

export function withFailure(state: WasteState, failed: FailureRecord): WasteState {
  const others = state.failures.filter(
    (each) => each.command !== failed.command || each.chain !== failed.chain,
  );
  return { ...state, failures: [...others, failed].slice(-maxFailures) };
}

export function withNamed(state: WasteState, named: readonly NamedLines[]): WasteState {
  if (named.length === 0) return state;
  const fitting = named.filter(({ file }) => file.length <= maxNameLength);
  const isNew = (each: NamedLines) => !fitting.some((other) => sameNamed(each, other));
  return { ...state, named: [...state.named.filter(isNew), ...fitting].slice(-maxNamed) };
}

function sameNamed(one: NamedLines, other: NamedLines): boolean {
  return one.file === other.file && one.chain === other.chain;
}

function overlap(one: TextRecord, other: TextRecord): boolean {
  if (one.file !== other.file) return false;
  if (one.first === null || other.first === null || one.last === null || other.last === null) return true;
  return one.first <= other.last && other.first <= one.last;
}
