/** The ledger of a service. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { sha256Hex } from "../base/hash.ts";
import { rethrowUnlessSystemError } from "../base/result.ts";
import { readPrivateFile, writePrivateFile } from "../base/private-files.ts";
import type { PurserPaths } from "../base/paths.ts";

import type { FindStoredWork } from "../sessions/live.ts";
import type { LedgerHost } from "./host/ledger-host.ts";
import type { PlanLimit, SessionReport } from "../sessions/reported.ts";
import type { LedgerEntry } from "./entries/entries-entry.ts";

export { LedgerHost } from "./host/ledger-host.ts";
export { PastCompactions } from "./host/past-compactions.ts";
export { ledgerPart, serveLedger } from "./host/serve-ledger.ts";

const idShape = /^[0-9a-f]{16}$/u;

/**
 * Returns an id that distinguishes this home's ledger from any other, on this machine or on another that shares a
 * project's folder. Random and stored; derived from the home's path if it cannot be stored.
 */
export function ledgerId({ folder }: Pick<PurserPaths, "folder">): string {
  const file = path.join(folder, "ledger-id");
  const kept = readPrivateFile(file);
  const known = kept.ok ? (kept.value ?? "").trim() : "";
  if (idShape.test(known)) return known;
  const drawn = randomBytes(8).toString("hex");
  try {
    writePrivateFile(file, `${drawn}\n`);
    return drawn;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return sha256Hex(folder, 16);
  }
}

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

/** Length of Claude Code's named plan limit windows. Minutes. */
const minutes: Readonly<Record<string, number>> = { five_hour: 300, seven_day: 10_080 };

/** Ledger entries of plan limits: one per change, however often a limit is reported. */
export class PlanLimitChanges {
  readonly #last = new Map<string, string>();

  entriesOf({ at, event }: Pick<SessionReport, "at" | "event">): LedgerEntry[] {
    return event.kind === "measured" ? event.planLimits.flatMap((limit) => this.#entryOf(limit, at)) : [];
  }

  /** Makes the next report of each limit count as a change, because the ledger did not accept the last one. */
  forget(): void {
    this.#last.clear();
  }

  #entryOf({ name, usedPercent, resetsAt }: PlanLimit, at: number): LedgerEntry[] {
    const value = JSON.stringify([usedPercent, resetsAt]);
    if (this.#last.get(name) === value) return [];
    this.#last.set(name, value);
    const windowMinutes = minutes[name] ?? null;
    const reset =
      resetsAt === null || !Number.isSafeInteger(Math.round(resetsAt)) ? null : Math.round(resetsAt);
    return [
      {
        kind: "plan-limit",
        program: "claude-code",
        name,
        at: Math.round(at),
        usedPercent,
        windowMinutes,
        resetsAt: reset,
      },
    ];
  }
}
