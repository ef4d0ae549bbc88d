import { existsSync } from "node:fs";
import path from "node:path";
import { fail } from "../../base/result.ts";
import type { Clock } from "../../base/timing/clock.ts";
import {
  findCompactionsInWorker,
  scannedAgent,
  type FoundCompaction,
  type ScannedCompaction,
} from "../../context/learn.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { LedgerAnswer } from "./held.ts";
import type { LedgerHost } from "./host.ts";

export interface PastCompactionsPorts {
  readonly ledger?: Pick<LedgerHost, "claudeCompactions">;
  readonly clock: Clock;
  /** Path of the built `learn-worker`. */
  readonly learnWorker: string;
  /** Folders whose transcripts the ledger collects; see `agentRoots`. */
  readonly places: readonly string[];
}

/**
 * Finds past compactions: Claude Code's in the ledger, which has read all its transcripts anyway, other agents' in their files. Without a
 * ledger, and for folders that it does not collect, transcripts are read.
 */
export class PastCompactions {
  readonly #ports: PastCompactionsPorts;
  readonly #places: ReadonlySet<string>;
  readonly #opening: Promise<void>;
  /** Call it once the ledger is being opened: until then, searches wait. */
  start: () => void = () => undefined;

  constructor(ports: PastCompactionsPorts) {
    this.#ports = ports;
    this.#opening = new Promise((resolve) => {
      this.start = resolve;
    });
    this.#places = new Set(ports.places.map((place) => path.resolve(place)));
  }

  readonly find = async (
    roots: readonly SessionRoot[],
    signal: AbortSignal,
  ): Promise<readonly FoundCompaction[]> => {
    const known = await this.#inLedger(roots, signal);
    const unread = roots.filter((root) => existsSync(root.path) && !(known.ok && this.#isCollected(root)));
    const { clock, learnWorker: workerPath } = this.#ports;
    const read =
      unread.length === 0 || signal.aborted
        ? []
        : await findCompactionsInWorker({ roots: unread, now: clock.now() }, { workerPath, signal });
    return known.ok ? [...known.value, ...read] : read;
  };

  async #inLedger(
    roots: readonly SessionRoot[],
    signal: AbortSignal,
  ): Promise<LedgerAnswer<readonly ScannedCompaction[]>> {
    const { ledger } = this.#ports;
    if (ledger === undefined || !roots.some((root) => this.#isCollected(root)))
      return fail("no_ledger", "the ledger does not collect these folders");
    await this.#opening;
    return ledger.claudeCompactions(signal);
  }

  #isCollected({ agent, path: folder }: SessionRoot): boolean {
    return agent === scannedAgent && this.#places.has(path.resolve(folder));
  }
}
