import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import { costlyRuns } from "../rules/costly-runs.ts";
import { lookAt } from "./rules-distil.ts";
import { mostRuns, type RulesKeeper } from "./rules-keeper.ts";
import type { RulesLedger } from "./rules-ledger.ts";
import type { ServiceLog } from "./service-log.ts";

export interface RulesWatchPorts {
  readonly ledger: RulesLedger;
  readonly keeper: Pick<RulesKeeper, "proposeAll">;
  readonly clock: Clock;
  readonly log: ServiceLog;
}

/** What ended longer ago is history. Milliseconds. */
const newsFor = 24 * 60 * 60_000;
/** Transcripts come in bursts: runs are looked for a while after something came. Milliseconds. */
const pause = 30_000;

/** Looks at costly runs of real work after they ended, each once, and proposes what they show. Never in a hook's time. */
export class RulesWatch implements Disposable {
  readonly #ports: RulesWatchPorts;
  readonly #seen = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(ports: RulesWatchPorts) {
    this.#ports = ports;
  }

  /** The ledger knows more. */
  ask(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => void this.#later(), pause).unref();
  }

  /** @returns how many candidates came of it */
  async look(): Promise<number> {
    const { ledger, keeper, clock, log } = this.#ports;
    const [runs, book, positions] = [
      await ledger.realRuns(mostRuns),
      await ledger.ruleBook(),
      await ledger.positions(),
    ];
    if (!runs.ok || !book.ok || !positions.ok) return 0;
    const known = new Set(book.value.rules.map(({ sourceRun }) => sourceRun));
    let made = 0;
    for (const { run, usual } of costlyRuns(runs.value)) {
      const isNews = run.endedAt >= clock.now() - newsFor && !known.has(run.sessionId);
      if (!isNews || this.#seen.has(run.id)) continue;
      this.#seen.add(run.id);
      const looked = await lookAt({ run, usual }, positions.value);
      if (!looked.ok || looked.value.proposals.length === 0) continue;
      const told = await keeper.proposeAll(looked.value.proposals, "purser");
      if (told.ok) made += told.value.proposed.filter(({ id }) => id !== null).length;
      else log.write("warn", `What a costly run shows is not kept: ${told.detail}`);
    }
    return made;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #later(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.look();
    } catch (error) {
      this.#ports.log.write("warn", `Costly runs are not looked at: ${String(error)}`);
    }
  }
}
