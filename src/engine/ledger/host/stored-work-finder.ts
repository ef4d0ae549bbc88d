import type { FindStoredWork } from "../../sessions/live/stored-work.ts";
import type { LedgerHost } from "./ledger-host.ts";

/** Finds work in the ledger that is no longer in a session's files. */
export class StoredWorkFinder {
  /** Call this once the ledger is being opened: until then, questions wait. */
  start: () => void = () => undefined;
  readonly #ledger: Pick<LedgerHost, "ask">;
  readonly #opening: Promise<void>;

  constructor(ledger: Pick<LedgerHost, "ask">) {
    this.#ledger = ledger;
    this.#opening = new Promise((resolve) => {
      this.start = resolve;
    });
  }

  /** Null where the ledger cannot be opened. */
  readonly find: FindStoredWork = async (asked) => {
    await this.#opening;
    const answer = await this.#ledger.ask("storedWork", asked);
    return answer.ok ? answer.value : null;
  };
}
