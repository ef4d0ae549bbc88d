import * as z from "zod/mini";
import type { FanOut } from "../budget.ts";

/** What a limit on subagents counts. */
const fanOutKinds = ["atOnce", "perPrompt", "depth", "models"] as const;
type FanOutKind = (typeof fanOutKinds)[number];

/** More are not followed: a session's first subagents are then forgotten. */
const maxFollowed = 200;
/** An agent that was killed reports no end. Milliseconds. */
const maxRunning = 3_600_000;

const word = z.string().check(z.maxLength(200));
const count = z.int().check(z.minimum(0));
const kinds = z.array(z.enum(fanOutKinds));

/** What a session's present prompt has started. Never changed in place. */
export const fanOutSchema = z.object({
  /** Subagents that may start, and those that did. */
  granted: count,
  started: count,
  running: z.array(z.object({ id: word, depth: count, at: z.number() })),
  /** Depths of subagents that may start and have not: their ids are not known yet. */
  pending: z.array(z.object({ type: word, depth: count })),
  /** The call about which its user is asked, and the limits that it passes. */
  asked: z.nullable(z.object({ use: word, type: word, depth: count, kinds })),
  /** Limits that its user has lifted for this prompt. */
  lifted: kinds,
});
export type FanOutState = Readonly<z.infer<typeof fanOutSchema>>;

export const noFanOut: FanOutState = {
  granted: 0,
  started: 0,
  running: [],
  pending: [],
  asked: null,
  lifted: [],
};

/** A subagent that is about to start. */
export interface Spawn {
  /** Id of the tool's use. */
  readonly use: string;
  readonly type: string;
  /** The agent that starts it; null for the main agent. */
  readonly by: string | null;
  readonly model: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A limit that a spawn passes, with the number that it would reach. */
export interface Passed {
  readonly kind: FanOutKind;
  readonly reached: number;
}

export type FanOutVerdict =
  | { readonly decision: "start" }
  | { readonly decision: "ask"; readonly passed: readonly Passed[] }
  /** Its user is being asked about another call. */
  | { readonly decision: "wait" };

/** A person's prompt begins: limits hold again. Subagents in the background go on. */
export function atPrompt({ running }: FanOutState): FanOutState {
  return { ...noFanOut, running };
}

export function atSpawn(
  state: FanOutState,
  limits: FanOut,
  spawn: Spawn,
): { readonly state: FanOutState; readonly verdict: FanOutVerdict } {
  const running = state.running.filter(({ at }) => spawn.at - at < maxRunning);
  const current = { ...state, running };
  const depth = 1 + (running.find(({ id }) => id === spawn.by)?.depth ?? (spawn.by === null ? 0 : 1));
  const passed = passedBy(current, limits, { ...spawn, depth });
  if (passed.length === 0)
    return { state: granted(current, { ...spawn, depth }), verdict: { decision: "start" } };
  if (state.asked !== null && state.asked.use !== spawn.use)
    return { state: current, verdict: { decision: "wait" } };
  const { use, type } = spawn;
  const asked = { use, type, depth, kinds: passed.map(({ kind }) => kind) };
  return { state: { ...current, asked }, verdict: { decision: "ask", passed } };
}

function passedBy(
  { granted: begun, started, running, lifted }: FanOutState,
  limits: FanOut,
  { depth, model }: Spawn & { readonly depth: number },
): Passed[] {
  const isNamed = (name: string) => model?.toLowerCase().includes(name.toLowerCase()) === true;
  const reached: Readonly<Record<FanOutKind, number>> = {
    atOnce: running.length + Math.max(0, begun - started) + 1,
    perPrompt: begun + 1,
    depth,
    models: (limits.models ?? []).filter(isNamed).length,
  };
  const most: Readonly<Record<FanOutKind, number>> = {
    atOnce: limits.atOnce ?? Infinity,
    perPrompt: limits.perPrompt ?? Infinity,
    depth: limits.depth ?? Infinity,
    models: 0,
  };
  return fanOutKinds
    .filter((kind) => reached[kind] > most[kind] && !lifted.includes(kind))
    .map((kind) => ({ kind, reached: reached[kind] }));
}

function granted(
  state: FanOutState,
  { type, depth }: { readonly type: string; readonly depth: number },
): FanOutState {
  const pending = [...state.pending, { type, depth }].slice(-maxFollowed);
  return { ...state, granted: state.granted + 1, pending };
}

/** A subagent has started. More than were granted: its user allowed the one about which they were asked. */
export function atStart(
  state: FanOutState,
  { id, type, at }: { readonly id: string; readonly type: string; readonly at: number },
): FanOutState {
  if (state.running.some((each) => each.id === id)) return state;
  const known = state.started < state.granted ? state : allowed(state);
  const index = known.pending.findIndex((each) => each.type === type);
  const depth = known.pending[index]?.depth ?? known.pending[0]?.depth ?? 1;
  return {
    ...known,
    started: known.started + 1,
    pending: known.pending.filter((_, other) => other !== Math.max(0, index)),
    running: [...known.running, { id, depth, at }].slice(-maxFollowed),
  };
}

/** The call has run, so its user allowed it. */
export function atDone(state: FanOutState, use: string): FanOutState {
  return state.asked?.use === use ? allowed(state) : state;
}

export function atStop(state: FanOutState, id: string): FanOutState {
  const running = state.running.filter((each) => each.id !== id);
  return running.length === state.running.length ? state : { ...state, running };
}

function allowed(state: FanOutState): FanOutState {
  const { asked, lifted } = state;
  if (asked === null) return state;
  return { ...granted(state, asked), asked: null, lifted: [...new Set([...lifted, ...asked.kinds])] };
}
