import type { GuardAdvice } from "../../ledger/answers.ts";
import { helpsTooLittle } from "./help-share.ts";

export interface SilencePorts {
  /** Known outcomes from the ledger: of advice by rule, and of continuity's messages by kind. Null without a ledger. */
  readonly advice: () => Promise<readonly GuardAdvice[] | null>;
  /** Monotonic clock. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Minimum time between two queries of the ledger. Milliseconds. */
const reloadInterval = 10_000;

/**
 * The rules that fell silent, by the outcomes of all sessions in the ledger. No hook waits for the query. Until the first answer,
 * no rule is silent. An old answer is renewed in the background.
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

  /** Queries the ledger. Resolves after its answer or its failure. */
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
