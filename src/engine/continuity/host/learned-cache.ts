import type { EffectivenessRow } from "../../ledger/answers/learned.ts";
import { knownHere } from "../prompt/known-here.ts";
import type { KnownHere } from "../prompt/advice-for.ts";
import type { LedgerHost } from "../../ledger/host/ledger-host.ts";

export interface LearnedCachePorts {
  readonly ledger: Pick<LedgerHost, "ask">;
  /** Returns the project's folder of a working folder. */
  readonly rootOf: (folder: string) => string;
  /** Whether what was learned of one project may be told in another. */
  readonly isShared: () => boolean;
  /** Milliseconds, from any beginning. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

interface Held {
  known: KnownHere | null;
  readAt: number;
  /** Ends with the reading, whatever comes of it. */
  reading: Promise<void>;
}

/** Time for which what was learned is not asked for again: learning is seldom done. Milliseconds. */
const trust = 120_000;
/** Projects that are held in memory. */
const mostHeld = 20;
/** Stands for all projects. */
const everywhere = "";

/** What was learned, as hooks need it: at once where a project was read before. */
export class LearnedCache {
  readonly #ports: LearnedCachePorts;
  readonly #held = new Map<string, Held>();
  #effectiveness: readonly EffectivenessRow[] = [];

  constructor(ports: LearnedCachePorts) {
    this.#ports = ports;
  }

  /** Returns what is known of a folder's project: what is held, else what is being read; null where it cannot be read. */
  knownHere(folder: string): KnownHere | null | Promise<KnownHere | null> {
    const held = this.#heldOf(folder);
    return held.known ?? held.reading.then(() => held.known);
  }

  #heldOf(folder: string): Held {
    const { rootOf, isShared, elapsed } = this.#ports;
    const project = isShared() ? everywhere : rootOf(folder);
    const held = this.#held.get(project) ?? {
      known: null,
      readAt: -Infinity,
      reading: Promise.resolve(),
    };
    this.#held.delete(project);
    this.#held.set(project, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest);
    if (elapsed() - held.readAt > trust) {
      held.readAt = elapsed();
      held.reading = this.#read(project, held);
    }
    return held;
  }

  /** Returns the share of a rule's advice that helped in a phase, between 0 and 1; one half where nothing is known. */
  helpOf(rule: string, phase: string): number {
    const row = this.#effectiveness.find((each) => each.subject === rule && each.phase === phase);
    return row === undefined ? 0.5 : (row.helped + 1) / (row.helped + row.failed + 2);
  }

  async #read(project: string, held: Held): Promise<void> {
    const { ledger, onProblem } = this.#ports;
    try {
      const book = await ledger.ask("learnedBook", project === everywhere ? null : project);
      if (!book.ok) {
        onProblem(`What was learned is not read: ${book.detail}`);
        return;
      }
      held.known = knownHere(book.value);
      this.#effectiveness = book.value.effectiveness;
    } catch (error) {
      onProblem(`What was learned is not read: ${String(error)}`);
    }
  }
}
