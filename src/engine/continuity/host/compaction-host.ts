import type { SessionMemory } from "../../base/per-session.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { diffEntry, putBackEntries } from "../compaction/lost.ts";
import { CompactionGuard, type CompactionPorts } from "../compaction/compaction-handler.ts";
import type { GuardArms } from "../../hooks/feature.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { sentence } from "../../base/language.ts";

export interface CompactionHostPorts extends Pick<
  CompactionPorts,
  "packetOf" | "compactionsOf" | "isSilent"
> {
  readonly memory: Pick<SessionMemory, "part">;
  readonly settings: Pick<SettingsStore, "of">;
  readonly arms: Pick<GuardArms, "isObserving">;
  readonly ledger: Pick<LedgerHost, "append" | "ask">;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

export interface PutBackWish {
  readonly session: string;
  readonly diff: string;
  readonly items: readonly string[];
}

/** Compares compactions, stores what they lost in the ledger, and puts back what a person chooses. */
export class CompactionHost {
  readonly guard: CompactionGuard;
  readonly #ports: CompactionHostPorts;

  constructor(ports: CompactionHostPorts) {
    this.#ports = ports;
    const { memory, settings, clock, packetOf, compactionsOf, isSilent, onProblem, arms } = ports;
    this.guard = new CompactionGuard({
      memory,
      packetOf,
      compactionsOf,
      isSilent,
      onProblem,
      modeOf: (folder, session) => {
        const mode = settings.of(folder).continuityCompaction;
        return mode === "on" && arms.isObserving(session, "continuity") ? "observe" : mode;
      },
      record: (compared) => void this.#append([diffEntry(compared)]),
      recordGiven: (given) => void this.#append(putBackEntries(given, { givenAt: clock.now() })),
      now: () => clock.now(),
      elapsed: () => performance.now(),
    });
  }

  /**
   * Schedules lost items for the session's next prompt. Returns their number, without those that were already
   * put back.
   */
  async putBack({ session, diff, items }: PutBackWish): Promise<Result<{ readonly count: number }>> {
    const asked = await this.#ports.ledger.ask("compactionDiffs", session);
    if (!asked.ok) return asked;
    const found = asked.value.find(({ id }) => id === diff);
    if (found === undefined) return fail("no_such_compaction", sentence("the ledger has no such compaction"));
    const chosen = found.lost.filter(({ id, back }) => back === null && items.includes(id));
    const put = { session, diff, items: chosen.map(({ id }) => id) };
    const kept = await this.#append(putBackEntries(put, { chosenAt: this.#ports.clock.now() }));
    if (!kept.ok) return kept;
    this.guard.choose(
      session,
      diff,
      chosen.map(({ id, kind, text, turn }) => ({ id, kind, text, turn })),
    );
    return succeed({ count: chosen.length });
  }

  async #append(entries: readonly LedgerEntry[]): Promise<Result<unknown>> {
    if (entries.length === 0) return succeed(null);
    const { ledger, onProblem } = this.#ports;
    const done = await ledger.append(entries);
    if (!done.ok) onProblem(`What a compaction lost is not recorded: ${done.detail.text}`);
    return done;
  }
}
