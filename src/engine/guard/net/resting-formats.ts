import { formatName, type SavedOutputs } from "../../ledger/ledger-answers.ts";
import { restingFormats } from "./net-figures.ts";

interface RestingPorts {
  /** What shortened outputs saved. Null without a ledger. */
  readonly saved: () => Promise<SavedOutputs | null>;
  /** Monotonic clock. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Minimum time between two queries of the ledger. Milliseconds. */
const reloadInterval = 15_000;

/** The formats that are switched off, as their net is not above zero. A hook gets the last answer, which is renewed in the background. */
export class RestingFormats {
  readonly #ports: RestingPorts;
  #resting: ReadonlySet<string> = new Set();
  #loadedAt = -Infinity;
  #loading: Promise<void> | undefined;

  constructor(ports: RestingPorts) {
    this.#ports = ports;
  }

  has(rule: string, command: string): boolean {
    if (this.#ports.elapsed() - this.#loadedAt >= reloadInterval) void this.load();
    return this.#resting.has(rule) || this.#resting.has(formatName(rule, command));
  }

  /** Resolves after the ledger's answer or its failure. */
  load(): Promise<void> {
    this.#loadedAt = this.#ports.elapsed();
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const saved = await this.#ports.saved();
      if (saved !== null) this.#resting = new Set(restingFormats(saved).map(({ id }) => id));
    } catch (error) {
      this.#ports.onProblem(`Which formats of outputs are switched off is not known: ${String(error)}`);
    }
  }
}
