import * as z from "zod/mini";
import { writeAtomically, readSmallText, readSmallTextAsync, type FilePort } from "../../base/files.ts";
import { errorCode } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";
import { learnedRotation } from "../recurring-answers.ts";
import { wakeRow, type WakeRow } from "../../ledger/woken.ts";
import { daySpending, withSpent, type DaySpending } from "../figures/day-spending.ts";
import { sentence, type Sentence } from "../../base/language.ts";

const sessionState = z.object({
  id: z.string().check(z.minLength(1)),
  program: z.string(),
  model: z.string(),
  /** Absolute. */
  folder: z.string(),
  startedAt: z.int(),
  lastAt: z.int(),
  wakes: z.int().check(z.nonnegative()),
  /** Responses of the main chain. */
  turns: z.int().check(z.nonnegative()),
  /** Of the definition's part that a session receives only once. */
  sessionHash: z.string(),
  /** Normalized, newest last. */
  inputs: z.array(z.number()).check(z.maxLength(200)),
  /** It once gave no response until its wake's time was over. It is not continued. */
  isStuck: z.optional(z.boolean()),
  /** Share of input that each wake read from the cache, 0 to 1, the newest last. */
  hits: z.array(z.number()).check(z.maxLength(200)),
});
export type SessionState = z.output<typeof sessionState>;

/** Running, or of a killed process. */
const currentWake = z.object({
  /** Recorded if it never ends. */
  row: wakeRow,
  /** Marks its processes. */
  mark: z.string(),
  /** Null for an unscheduled wake. Milliseconds since the epoch. */
  slot: z._default(z.nullable(z.int()), null),
  /** As it was before. Null until its program has reported the id. */
  session: z._default(z.nullable(sessionState), null),
});

/**
 * One file that is replaced as a whole: a finished wake, its session and entries pending for the ledger never contradict each other, whenever a
 * process is killed.
 */
const agentState = z.object({
  schema: z.literal(1),
  sessions: z.record(z.string(), sessionState),
  current: z.nullable(currentWake),
  /** Until the ledger has them. */
  outbox: z.array(wakeRow),
  /** Newest last. */
  recent: z.array(wakeRow),
  /** Of the last days' wakes. */
  spent: z._default(z.array(daySpending), []),
  /** Last one that was woken for. Milliseconds since the epoch. */
  lastSlot: z.nullable(z.int()),
  /** Of the last interrupted wake: it is tried again, once. Milliseconds since the epoch. */
  retriedSlot: z._default(z.nullable(z.int()), null),
  /** The schedule's last wake. Milliseconds since the epoch. */
  timedBy: z._default(z.nullable(z.object({ by: z.enum(["service", "terminal"]), at: z.int() })), null),
  /** As known at the last wake. */
  learned: z._default(z.nullable(learnedRotation), null),
  /** Open ones at its last wake. Null where unknown. */
  assigned: z._default(z.nullable(z.array(z.string())), null),
  /** While quota or network are away, no wake by schedule happens before that time. */
  pause: z.nullable(z.object({ until: z.int(), failures: z.int() })),
});
export type AgentState = z.output<typeof agentState>;

const noState: AgentState = {
  schema: 1,
  sessions: {},
  current: null,
  outbox: [],
  recent: [],
  spent: [],
  lastSlot: null,
  retriedSlot: null,
  timedBy: null,
  learned: null,
  assigned: null,
  pause: null,
};

/** Wakes, sessions, and bytes of the file. */
const [maxRecentWakes, maxSessions, maxFileSize] = [100, 50, 8 * 1024 * 1024];

export interface StateRead {
  readonly state: AgentState;
  /** An invalid file exists: the state starts empty, and the file is set aside. */
  readonly isDamaged: boolean;
}

/** Empty without a file. */
export function readState(file: string): StateRead {
  return parseState(readSmallText(file, maxFileSize));
}

export async function readStateAsync(file: string): Promise<StateRead> {
  return parseState(await readSmallTextAsync(file, maxFileSize));
}

function parseState(text: string | null): StateRead {
  if (text === null) return { state: noState, isDamaged: false };
  const state = readJson(agentState, text);
  return { state: state ?? noState, isDamaged: state === null };
}

export interface StatePorts {
  readonly files: FilePort;
  /** A word that no other process or call uses. */
  readonly unique: () => string;
}

export class StateStore {
  readonly #file: string;
  readonly #ports: StatePorts;
  state = noState;

  constructor(file: string, ports: StatePorts) {
    this.#file = file;
    this.#ports = ports;
  }

  /** Returns the problem, if there is one. Throws the system's error. */
  async load(): Promise<Sentence | null> {
    const { files, unique } = this.#ports;
    let text: string | null = null;
    try {
      text = (await files.read(this.#file)).toString("utf8");
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
    const { state, isDamaged } = parseState(text);
    this.state = state;
    if (!isDamaged) return null;
    const aside = `${this.#file}.damaged-${unique().slice(0, 8)}`;
    await files.rename(this.#file, aside);
    return sentence("{0} was damaged and is set aside as {1}; its sessions begin again", this.#file, aside);
  }

  /** Resolves when it is on the disk. Throws the system's error. */
  async save(state: AgentState): Promise<void> {
    const stored = {
      ...state,
      recent: state.recent.slice(-maxRecentWakes),
      sessions: newestSessions(state.sessions),
    };
    await writeAtomically(this.#file, Buffer.from(JSON.stringify(stored)), this.#ports);
    this.state = stored;
  }
}

function newestSessions(sessions: AgentState["sessions"]): AgentState["sessions"] {
  const all = Object.entries(sessions);
  if (all.length <= maxSessions) return sessions;
  return Object.fromEntries(
    all.toSorted(([, one], [, other]) => other.lastAt - one.lastAt).slice(0, maxSessions),
  );
}

/** The time counts as not woken, unless the interrupted wake was the second try. `slot`: what it was for; null for none. */
export function afterInterruption(
  { lastSlot, retriedSlot }: Pick<AgentState, "lastSlot" | "retriedSlot">,
  slot: number | null,
): Pick<AgentState, "lastSlot" | "retriedSlot"> {
  if (slot === null || slot === retriedSlot || slot !== lastSlot) return { lastSlot, retriedSlot };
  return { lastSlot: slot - 1, retriedSlot: slot };
}

/** As the next wake will find it. `isHeld`: a wake runs. */
export function lastSlotOf(
  state: Pick<AgentState, "lastSlot" | "retriedSlot"> & {
    readonly current: { readonly slot: number | null } | null;
  },
  isHeld: boolean,
): number | null {
  const { current, lastSlot } = state;
  return current === null || isHeld ? lastSlot : afterInterruption(state, current.slot).lastSlot;
}

export function sessionAfterWake(before: SessionState, row: WakeRow): SessionState {
  const { input, cacheCreation5m, cacheCreation1h, cacheRead, normalizedInput } = row;
  const isCut = row.outcome === "interrupted";
  const whole = (input ?? 0) + (cacheCreation5m ?? 0) + (cacheCreation1h ?? 0) + (cacheRead ?? 0);
  return {
    ...before,
    lastAt: row.endedAt,
    wakes: before.wakes + 1,
    turns: before.turns + row.turns,
    // The usage of an interrupted wake is not comparable with a whole one's.
    inputs:
      normalizedInput === null || isCut ? before.inputs : [...before.inputs, normalizedInput].slice(-200),
    hits: whole === 0 || isCut ? before.hits : [...before.hits, (cacheRead ?? 0) / whole].slice(-200),
  };
}

export function withEnded(
  state: AgentState,
  row: WakeRow,
  changes: Partial<Pick<AgentState, "sessions" | "pause" | "lastSlot" | "retriedSlot">>,
): AgentState {
  return {
    ...state,
    ...changes,
    current: null,
    outbox: [...state.outbox, row],
    recent: [...state.recent, row],
    spent: withSpent(state.spent, row),
  };
}

export function pastState(
  wakes: readonly WakeRow[],
  {
    folder,
    sessionHash,
    lastSlot,
  }: { readonly folder: string; readonly sessionHash: string; readonly lastSlot: number | null },
): AgentState {
  const sessions: Record<string, SessionState> = {};
  for (const row of wakes) {
    const { sessionId: id, program, model, at } = row;
    if (id === null) continue;
    const key = row.taskId ?? "";
    const before = sessions[key];
    const none = { wakes: 0, turns: 0, inputs: [], hits: [] };
    const started = { id, program, model, folder, startedAt: at, lastAt: at, sessionHash, ...none };
    sessions[key] = sessionAfterWake(before?.id === id ? before : started, row);
  }
  const spent = wakes.reduce<DaySpending[]>(withSpent, []);
  return { ...noState, sessions, recent: wakes.slice(-maxRecentWakes), spent, lastSlot };
}
