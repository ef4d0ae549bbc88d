import type { GuardAdvice } from "../../ledger/answers.ts";
import { helpsTooLittle } from "./help-share.ts";

export interface SilencePorts {
  /** The known outcomes of advice by rule, and of what continuity tells by kind, from the ledger; null where there is none to ask. */
  readonly advice: () => Promise<readonly GuardAdvice[] | null>;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Shortest time between two questions to the ledger. Milliseconds. */
const reloadInterval = 10_000;

/**
 * The rules whose advice has fallen silent, by what the ledger tells of all sessions. No hook waits for it: until an answer has come
 * nothing is silent, and one that is old is asked for again in the background.
 */
export class SilentRules {
  readonly #ports: SilencePorts;
  #silent: ReadonlySet<string> = new Set();
  #loadedAt = -Infinity;
  #loading: Promise<void> | undefined;

  constructor(ports: SilencePorts) {
    this.#ports = ports;
  }

  has(rule: string): boolean {
    if (this.#ports.elapsed() - this.#loadedAt >= reloadInterval) void this.load();
    return this.#silent.has(rule);
  }

  /** Asks the ledger. Resolves when it has answered, or cannot. */
  load(): Promise<void> {
    this.#loadedAt = this.#ports.elapsed();
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const advice = await this.#ports.advice();
      if (advice !== null) this.#silent = new Set(advice.filter(helpsTooLittle).map(({ rule }) => rule));
    } catch (error) {
      this.#ports.onProblem(`Which guard rules are silent is not known: ${String(error)}`);
    }
  }
}
