import type { LedgerEntry } from "../../ledger/entries.ts";
import type { QuestionAnswer, QuestionName, QuestionParams } from "../../ledger/questions.ts";
import type { PastEvent } from "../../transcripts/past.ts";
import type { TaskName } from "../learning-answers.ts";
import type { ResumePacket } from "../packet/packet.ts";
import type { PastAction } from "../story/past-action.ts";
import type { Fact, SessionFacts } from "./fact.ts";

export { taskNames, type TaskName } from "../learning-answers.ts";

interface PacePorts {
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
}

/** Milliseconds of work between two pauses. */
const slice = 25;

export class Pace {
  readonly #ports: PacePorts;
  #began: number;

  constructor(ports: PacePorts) {
    this.#ports = ports;
    this.#began = ports.now();
  }

  get isDue(): boolean {
    return this.#ports.now() - this.#began >= slice;
  }

  async rest(): Promise<void> {
    await this.#ports.pause();
    this.#began = this.#ports.now();
  }
}

export interface Seen {
  readonly event: PastEvent;
  /** The call that the event ends. Null for other events. */
  readonly action: PastAction | null;
  readonly turn: number;
  /** The project's folder. */
  readonly root: string | null;
}

export interface SessionFold {
  add(seen: Seen): void;
  /**
   * Returns the session's facts, the strongest first.
   * @param packet made from the same session
   */
  facts(packet: ResumePacket): readonly Fact[];
}

export interface LearnStore {
  ask<Name extends QuestionName>(name: Name, asked: QuestionParams<Name>): Promise<QuestionAnswer<Name>>;
  /**
   * Resolves once all entries are durable. If the machine dies before, perhaps only the first of them are.
   * @throws if they cannot be stored
   */
  append(entries: readonly LedgerEntry[]): Promise<void>;
}

export type Conclusion = Extract<LedgerEntry, { kind: "learned" | "working-set" | "dead-end" }>;

export interface LearnTask {
  readonly name: TaskName;
  /** Begins the fold of a session; absent where sessions' files are not needed. */
  readonly observe?: () => SessionFold;
  /**
   * Draws conclusions from a project's sessions, the newest first. The same sessions give the same
   * conclusions.
   */
  readonly conclude?: (sessions: readonly SessionFacts[], project: string) => readonly Conclusion[];
  readonly tend?: (store: LearnStore, pace: Pick<Pace, "rest">) => Promise<void>;
}
