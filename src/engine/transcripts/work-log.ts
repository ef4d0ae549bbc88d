import type { AgentCall, AgentTurn, Origin } from "./agent-session.ts";

type Open<Row> = { -readonly [Key in keyof Row]: Row[Key] };
/** The kind of the last line in the conversation. */
type LastWord = "none" | "text" | "call" | "result";

interface OpenTurn extends Open<Omit<AgentTurn, "id" | "isCompleted" | "records">> {
  /** Null until the agent names it. */
  id: string | null;
  index: number;
  lastWord: LastWord;
  isInterrupted: boolean;
  /** The model has replied in this turn: where the file records no turn ends, that counts as the end. */
  hasSpoken: boolean;
  records: number[];
}

export type NewCall = Pick<AgentCall, "tool" | "server" | "inputChars" | "reads"> & {
  /** The agent's own id for it, or null. */
  readonly id: string | null;
  readonly skill?: string | null;
};

/** What becomes known about a call later; null means not known yet. */
export type CallUpdate = Partial<
  Pick<AgentCall, "server" | "resultChars" | "durationMs" | "isError" | "reads">
>;

interface Moment {
  readonly at: number | null;
  readonly origin: Origin;
}

/**
 * One conversation's turns and calls, from a file's lines in order. A call belongs to the next response: agents write a
 * response's calls before its usage. The conversations of one file may share the lists.
 */
export class WorkLog {
  readonly #agentId: string | null;
  readonly #turns: OpenTurn[];
  readonly #calls: Open<AgentCall>[];
  readonly #byId = new Map<string, Open<AgentCall>>();
  readonly #times = new Map<string, number>();
  #pending: Open<AgentCall>[] = [];
  #turn: OpenTurn | null = null;

  constructor(agentId: string | null, shared: WorkLists = new WorkLists()) {
    this.#agentId = agentId;
    this.#turns = shared.turns;
    this.#calls = shared.calls;
  }

  /** Index of the current turn, or of the last one. */
  get turn(): number | null {
    return this.#turn?.index ?? null;
  }

  /** The model waits for a tool, or a tool for the model. */
  get isBusy(): boolean {
    const turn = this.#turn;
    return turn !== null && !turn.hasStopped && (turn.lastWord === "call" || turn.lastWord === "result");
  }

  /**
   * Starts a turn that the agent announces. Announcing it twice starts one turn.
   *
   * @param isBounded whether the agent also announces the turn's end
   */
  startTurn(id: string | null, { at, origin }: Moment, isBounded = true): void {
    const turn = this.#turn;
    if (turn !== null && id !== null && turn.id === id) {
      turn.isBounded ||= isBounded;
      return;
    }
    this.#stop(null);
    this.#open({ id, at, origin, isBounded });
  }

  nameTurn(id: string, { at, origin }: Moment): void {
    const turn = this.#turn;
    if (turn?.id === id) return;
    // A prompt just before belongs to this turn.
    if (turn?.id === null && !turn.hasStopped && turn.records.length === 0) {
      turn.id = id;
      return;
    }
    this.#stop(null);
    this.#open({ id, at, origin, isBounded: false });
  }

  /** Adds a prompt: to the current turn, or to a new one. */
  addPrompt(chars: number, { at, origin }: Moment): void {
    const turn = this.#turn;
    const isOver = turn === null || turn.hasStopped || (!turn.isBounded && turn.records.length > 0);
    if (isOver) {
      this.#stop(null);
      this.#open({ id: null, at, origin, isBounded: false });
    }
    if (this.#turn !== null) this.#turn.promptChars = (this.#turn.promptChars ?? 0) + chars;
  }

  /** Adds a response, and assigns it the calls since the previous one. */
  addResponse(record: number, moment: Moment): void {
    const turn = this.#turn ?? this.#open({ id: null, ...moment, isBounded: false });
    turn.records.push(record);
    for (const call of this.#pending) call.record = record;
    this.#pending = [];
    this.#touch(moment.at);
  }

  addReply(hasText: boolean, at: number | null): void {
    if (this.#turn !== null && hasText) {
      this.#turn.lastWord = "text";
      this.#turn.hasSpoken = true;
      this.#turn.isFailed = false;
    }
    this.#touch(at);
  }

  /** Forgets calls still without a response: they do not belong to a later one. */
  forgetPending(): void {
    this.#pending = [];
  }

  /** @param record the response that made the call, if already known */
  addCall(
    { id, skill = null, ...details }: NewCall,
    { at, origin }: Moment,
    record: number | null = null,
  ): void {
    const turn = this.#turn ?? this.#open({ id: null, at, origin, isBounded: false });
    turn.lastWord = "call";
    const name = id ?? "";
    const before = this.#times.get(name) ?? 0;
    this.#times.set(name, before + 1);
    const call = {
      ...details,
      agentId: this.#agentId,
      origin,
      turn: turn.index,
      record,
      at,
      skill,
      id: before === 0 && name !== "" ? name : `${name}#${before}`,
      resultChars: null,
      durationMs: null,
      isError: null,
    };
    this.#calls.push(call);
    if (id !== null) this.#byId.set(id, call);
    if (record === null) this.#pending.push(call);
    this.#touch(at);
  }

  knows(id: string): boolean {
    return this.#byId.has(id);
  }

  updateCall(id: string, update: CallUpdate): void {
    const call = this.#byId.get(id);
    if (call === undefined) return;
    call.server = update.server ?? call.server;
    call.resultChars = update.resultChars ?? call.resultChars;
    call.durationMs = update.durationMs ?? call.durationMs;
    call.isError = update.isError ?? call.isError;
    call.reads = update.reads ?? call.reads;
  }

  /** A result went back to the model, so its last word was not the final one. */
  addResult(at: number | null): void {
    if (this.#turn !== null && !this.#turn.hasStopped) this.#turn.lastWord = "result";
    this.#touch(at);
  }

  markFailed(at: number | null): void {
    if (this.#turn !== null) this.#turn.isFailed = true;
    this.#touch(at);
  }

  /** The agent reports that the turn is over. An end with another id belongs to an older turn, and comes late. */
  endTurn(end: {
    readonly id: string | null;
    readonly at: number | null;
    readonly durationMs: number | null;
    readonly isInterrupted: boolean;
  }): void {
    const turn = this.#turn;
    if (turn === null || turn.hasStopped) return;
    if (end.id !== null && turn.id !== null && end.id !== turn.id) return;
    turn.durationMs = end.durationMs;
    turn.isInterrupted = end.isInterrupted;
    this.#touch(end.at);
    this.#stop(end.at);
  }

  #open(begun: Moment & { id: string | null; isBounded: boolean }): OpenTurn {
    const { id, at, origin, isBounded } = begun;
    const turn: OpenTurn = {
      id,
      origin,
      isBounded,
      agentId: this.#agentId,
      index: this.#turns.length,
      isFirst: this.#turn === null,
      startedAt: at,
      endedAt: at,
      durationMs: null,
      promptChars: null,
      hasStopped: false,
      isFailed: false,
      isInterrupted: false,
      hasSpoken: false,
      lastWord: "none",
      records: [],
    };
    this.#turns.push(turn);
    this.#turn = turn;
    // Pending calls belong to a response that never reported its usage.
    this.#pending = [];
    return turn;
  }

  #stop(at: number | null): void {
    if (this.#turn === null) return;
    this.#turn.hasStopped = true;
    this.#touch(at);
  }

  /** Extends the turn to this time. Clocks may go back; a turn does not. */
  #touch(at: number | null): void {
    const turn = this.#turn;
    if (turn === null || at === null) return;
    turn.startedAt ??= at;
    turn.endedAt = Math.max(at, turn.endedAt ?? at);
  }
}

export class WorkLists {
  readonly turns: OpenTurn[] = [];
  readonly calls: Open<AgentCall>[] = [];

  snapshot(): { turns: AgentTurn[]; calls: AgentCall[] } {
    return {
      turns: this.turns.map(turnOf),
      calls: this.calls.map((call) => ({ ...call })),
    };
  }
}

function turnOf({ index, lastWord, isInterrupted, hasSpoken, records, ...turn }: OpenTurn): AgentTurn {
  return {
    ...turn,
    id: turn.id ?? `#${index}`,
    records: [...records],
    // An unbounded turn counts as stopped once the model has replied; it is reported again when more comes.
    hasStopped: turn.hasStopped || (!turn.isBounded && hasSpoken),
    isCompleted: lastWord === "text" && !turn.isFailed && !isInterrupted,
  };
}
