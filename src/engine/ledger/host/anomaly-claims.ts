import type { Clock } from "../../base/timing/clock.ts";
import type { LedgerThread } from "../thread/thread.ts";
import type { ServiceLog } from "../../base/log.ts";

/** Makes sure that only one of the clients notified of an anomaly shows it to a person. */
export class AnomalyClaims {
  readonly #ports: { readonly log: ServiceLog; readonly clock: Clock };
  readonly #claimed = new Set<string>();

  constructor({ log, clock }: { readonly log: ServiceLog; readonly clock: Clock }) {
    this.#ports = { log, clock };
  }

  /** Marks an anomaly as shown. Returns whether this is the first time. */
  async claim(
    id: string,
    ledger: Pick<LedgerThread, "append" | "ask">,
  ): Promise<{ readonly isFirst: boolean }> {
    const found = (await ledger.ask("anomalies", { unshownOnly: true })).find((anomaly) => anomaly.id === id);
    // Two concurrent requests may both find it unshown.
    if (found === undefined || this.#claimed.has(id)) return { isFirst: false };
    this.#claimed.add(id);
    const { sessionId, agentId, cause, at, value, usual } = found;
    const about = { id, sessionId, agentId, cause, at, value, usual, turns: JSON.stringify(found.turns) };
    const appended = await ledger.append([{ kind: "anomaly", ...about, shownAt: this.#ports.clock.now() }]);
    if (!appended.ok)
      this.#ports.log.write("warn", `That an anomaly was shown is not kept: ${appended.detail}`);
    return { isFirst: true };
  }
}
