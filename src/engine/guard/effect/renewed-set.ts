interface RenewedSetPorts {
  /** Null keeps the last answer. */
  readonly read: () => Promise<ReadonlySet<string> | null>;
  /** Monotonic clock. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
  /** The problem if reading fails. */
  readonly problem: string;
  /** Minimum time between two readings. Milliseconds. */
  readonly interval: number;
}

/** A set that the ledger knows. No hook waits for the ledger: it gets the last answer, which is renewed in the background. Empty at first. */
export class RenewedSet {
  readonly #ports: RenewedSetPorts;
  #known: ReadonlySet<string> = new Set();
  #loadedAt = -Infinity;
  #loading: Promise<void> | undefined;

  constructor(ports: RenewedSetPorts) {
    this.#ports = ports;
  }

  has(item: string): boolean {
    if (this.#ports.elapsed() - this.#loadedAt >= this.#ports.interval) void this.load();
    return this.#known.has(item);
  }

  /** Resolves after the ledger's answer or its failure. */
  load(): Promise<void> {
    this.#loadedAt = this.#ports.elapsed();
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { read, onProblem, problem } = this.#ports;
    try {
      this.#known = (await read()) ?? this.#known;
    } catch (error) {
      onProblem(`${problem}: ${String(error)}`);
    }
  }
}
