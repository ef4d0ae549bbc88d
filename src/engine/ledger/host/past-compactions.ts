import { existsSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../base/timing.ts";
import { findCompactionsInWorker, scannedAgent, type FoundCompaction } from "../../sessions/learn.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { PoolPorts } from "../../sessions/live.ts";
import type { LedgerHost } from "./ledger-host.ts";

type AskedLedger = Pick<LedgerHost, "claudeCompactions" | "isOpen">;

export interface PastCompactionsPorts {
  readonly ledger?: AskedLedger;
  readonly onProblem: (message: string) => void;
  readonly clock: Clock;
  /** Path of the built `learn-worker`. */
  readonly learnWorker: string;
  /** Folders whose transcripts the ledger collects; see `agentRoots`. */
  readonly places: readonly string[];
}

/**
 * Finds past compactions: Claude Code's in the ledger, which has read all its transcripts anyway, and other agents' in
 * their files. Reads transcripts without a ledger, and in folders that the ledger does not collect.
 */
export class PastCompactions {
  readonly #ports: PastCompactionsPorts;
  readonly #places: ReadonlySet<string>;
  readonly #opening: Promise<void>;
  /** Call this once the ledger is being opened: until then, searches wait. */
  start: () => void = () => undefined;

  constructor(ports: PastCompactionsPorts) {
    this.#ports = ports;
    this.#opening = new Promise((resolve) => {
      this.start = resolve;
    });
    this.#places = new Set(ports.places.map((place) => path.resolve(place)));
  }

  /** Does not wait for a ledger that is still opening or collecting: its compactions are reported later. */
  readonly find: PoolPorts["learn"] = async (roots, signal, onMore) => {
    const { ledger } = this.#ports;
    const collected = roots.filter((root) => this.#isCollected(root));
    if (ledger === undefined || collected.length === 0) return await this.#read(roots, signal);
    const others = await this.#read(
      roots.filter((root) => !collected.includes(root)),
      signal,
    );
    void this.#inLedger(ledger, collected, signal).then((found) => onMore([...found, ...others]));
    const known = ledger.isOpen ? await ledger.claudeCompactions() : null;
    return known?.ok === true ? [...known.value, ...others] : others;
  };

  /** Everything present now; from the files where the ledger lacks it. */
  async #inLedger(
    ledger: AskedLedger,
    collected: readonly SessionRoot[],
    signal: AbortSignal,
  ): Promise<readonly FoundCompaction[]> {
    await this.#opening;
    try {
      const found = await ledger.claudeCompactions(signal);
      return found.ok ? found.value : await this.#read(collected, signal);
    } catch (error) {
      if (!signal.aborted) this.#ports.onProblem(`Past compactions are not known: ${String(error)}`);
      return [];
    }
  }

  async #read(roots: readonly SessionRoot[], signal: AbortSignal): Promise<readonly FoundCompaction[]> {
    const { clock, learnWorker: workerPath } = this.#ports;
    const existing = roots.filter((root) => existsSync(root.path));
    if (existing.length === 0 || signal.aborted) return [];
    return await findCompactionsInWorker({ roots: existing, now: clock.now() }, { workerPath, signal });
  }

  #isCollected({ agent, path: folder }: SessionRoot): boolean {
    return agent === scannedAgent && this.#places.has(path.resolve(folder));
  }
}
