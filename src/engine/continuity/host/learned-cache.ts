import type { EffectivenessRow } from "../../ledger/learned.ts";
import { knownHere, type KnownHere } from "../learn/advice-for.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";

export interface LearnedCachePorts {
  readonly ledger: Pick<LedgerHost, "ask">;
  readonly rootOf: (folder: string) => string;
  /** Whether lessons from one project may be used in another. */
  readonly isShared: () => boolean;
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

interface Held {
  known: KnownHere | null;
  readAt: number;
  /** Resolves when the read ends, also after a failure. */
  reading: Promise<void>;
}

/** Cache lifetime of the lessons, as learning runs rarely. Milliseconds. */
const cacheTtl = 120_000;
const maxHeld = 20;
/** Stands for all projects. */
const everywhere = "";

/** Lessons for hooks: returned at once if the project was read before. */
export class LearnedCache {
  readonly #ports: LearnedCachePorts;
  readonly #held = new Map<string, Held>();
  #effectiveness: readonly EffectivenessRow[] = [];

  constructor(ports: LearnedCachePorts) {
    this.#ports = ports;
  }

  /**
   * Returns what is known about a folder's project: the cached value, or the read in progress. Null if it
   * cannot be read.
   */
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
    if (this.#held.size > maxHeld && oldest !== undefined) this.#held.delete(oldest);
    if (elapsed() - held.readAt > cacheTtl) {
      held.readAt = elapsed();
      held.reading = this.#read(project, held);
    }
    return held;
  }

  /**
   * Returns the share of a rule's advice that helped in a phase, between 0 and 1. One half if nothing is
   * known.
   */
  helpOf(rule: string, phase: string): number {
    const row = this.#effectiveness.find((each) => each.subject === rule && each.phase === phase);
    return row === undefined ? 0.5 : (row.helped + 1) / (row.helped + row.failed + 2);
  }

  async #read(project: string, held: Held): Promise<void> {
    const { ledger, onProblem } = this.#ports;
    try {
      const book = await ledger.ask("learnedBook", project === everywhere ? null : project);
      if (!book.ok) {
        onProblem(`What was learned is not read: ${book.detail.text}`);
        return;
      }
      held.known = knownHere(book.value);
      this.#effectiveness = book.value.effectiveness;
    } catch (error) {
      onProblem(`What was learned is not read: ${String(error)}`);
    }
  }
}
