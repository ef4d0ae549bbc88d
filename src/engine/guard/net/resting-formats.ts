import { formatName, type SavedOutputs } from "../../ledger/ledger-answers.ts";
import { RenewedSet } from "../effect/renewed-set.ts";
import { restingFormats } from "./net-figures.ts";

interface RestingPorts {
  /** Reads what shortened outputs saved. Null without a ledger. */
  readonly saved: () => Promise<SavedOutputs | null>;
  /** Monotonic clock. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** The formats that are switched off, as their net is not above zero. */
export class RestingFormats {
  readonly #ids: RenewedSet;

  constructor({ saved, ...ports }: RestingPorts) {
    this.#ids = new RenewedSet({
      ...ports,
      read: async () => {
        const known = await saved();
        return known === null ? null : new Set(restingFormats(known).map(({ id }) => id));
      },
      problem: "Which formats of outputs are switched off is not known",
      interval: 15_000,
    });
  }

  has(rule: string, command: string): boolean {
    return this.#ids.has(rule) || this.#ids.has(formatName(rule, command));
  }

  /** Resolves after the ledger's answer or its failure. */
  load(): Promise<void> {
    return this.#ids.load();
  }
}
