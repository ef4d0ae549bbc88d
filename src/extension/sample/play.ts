import { Emitter, type Disposable } from "../../engine/base/events.ts";
import { promptRow, turnRows, type PlayedSession } from "./play-rows.ts";

export interface PlayPorts {
  /** The sample's project. */
  readonly cwd: string;
  /** Adds rows to the transcript of a session. */
  readonly append: (sessionId: string, rows: readonly string[]) => Promise<void>;
  /** Writes the document that hands a session over, and returns its text. */
  readonly handOver: (sessionId: string) => Promise<string | null>;
  /** Ends early, without an error, once the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
}

/** Turns of the session that happened before, that are played, and of its successor. */
const [past, played, after] = [20, 30, 5];
/** Time of one turn, and in which a person can look at the red bar. Milliseconds. */
const [pace, look] = [1300, 6000];
/** Milliseconds between two turns of before. */
const pastPace = 40_000;
/** Tokens that a context grows by in a turn. */
const growth = 18_000;

const prompt =
  "Fix the booking dates: they are a day late in winter. Never change the bookings of past years. Run npm test after each change.";

/**
 * Plays a session of the sample as if it happened now, in about a minute: from room enough to none, then its handover to a
 * new session. Nothing runs but the clock: it writes the rows that an agent would write, and the sample's service reads them.
 */
export class SamplePlay implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: PlayPorts;
  #round = 0;
  #turns = 0;
  #running: AbortController | null = null;
  /** Set once the work went over. */
  #successor: PlayedSession | null = null;
  /** Whether the successor has answered. */
  #hasAnswered = false;

  constructor(ports: PlayPorts) {
    this.#ports = ports;
  }

  /** The session that is shown now. */
  get shownId(): string {
    return (this.#hasAnswered && this.#successor !== null ? this.#successor : this.#session).id;
  }

  /** The session that can be handed over. Null once that has happened. */
  get openId(): string | null {
    return this.#successor === null ? this.#session.id : null;
  }

  get isPlaying(): boolean {
    return this.#running !== null;
  }

  /** Writes what happened before the sample was opened. */
  async prepare(): Promise<void> {
    const { append, now } = this.#ports;
    this.#round += 1;
    this.#successor = null;
    this.#hasAnswered = false;
    const begin = now() - (past + 1) * pastPace;
    const rows = [promptRow(this.#session, prompt, begin)];
    for (let turn = 1; turn <= past; turn++)
      rows.push(...turnRows(this.#session, turn, begin + turn * pastPace));
    this.#turns = past;
    await append(this.#session.id, rows);
  }

  /** Plays on, or from the beginning once the work went over. Resolves when it ends or is stopped. */
  async play(): Promise<void> {
    if (this.#running !== null) return;
    const running = new AbortController();
    this.#running = running;
    this.#changes.fire();
    try {
      if (this.#successor !== null) await this.prepare();
      await this.#fill(running.signal);
      if (!running.signal.aborted) await this.#ports.wait(look, running.signal);
      if (!running.signal.aborted && this.#successor === null) await this.relay(null);
    } catch (error) {
      this.#ports.onProblem(`The sample's session could not be played: ${String(error)}`);
    } finally {
      if (this.#running === running) this.#running = null;
      this.#changes.fire();
    }
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#changes.fire();
  }

  /** Begins a session with the document of the one that is played. @param document null to write it first */
  async relay(document: string | null): Promise<void> {
    if (this.#successor !== null) return;
    const { append, now, wait, handOver } = this.#ports;
    const from = this.#session.id;
    const successor = { ...this.#session, id: `${from.slice(0, -1)}b` };
    this.#successor = successor;
    const signal = this.#running?.signal ?? new AbortController().signal;
    const text = document ?? (await handOver(from));
    if (text === null) {
      this.#successor = null;
      return;
    }
    await append(successor.id, [promptRow(successor, text, now())]);
    for (let turn = 1; turn <= after && !signal.aborted; turn++) {
      await append(successor.id, turnRows(successor, turn, now()));
      this.#hasAnswered = true;
      this.#changes.fire();
      await wait(pace, signal);
    }
  }

  dispose(): void {
    this.stop();
    this.#changes.dispose();
  }

  get #session(): PlayedSession {
    const round = String(this.#round).padStart(11, "0");
    return { id: `5a3b1e00-0000-4000-8000-${round}a`, growth, cwd: this.#ports.cwd };
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { append, now, wait } = this.#ports;
    while (this.#turns < past + played && !signal.aborted && this.#successor === null) {
      this.#turns += 1;
      await append(this.#session.id, turnRows(this.#session, this.#turns, now()));
      this.#changes.fire();
      await wait(pace, signal);
    }
  }
}
