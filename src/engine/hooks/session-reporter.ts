import type { HookEvent } from "./event/event.ts";
import { sessionReportOf } from "./event/session-report.ts";
import type { LedgerEntry } from "../ledger/entries/entries-entry.ts";
import type { LedgerHost } from "../ledger/host/ledger-host.ts";
import { PlanLimitChanges } from "../ledger/host/plan-limits.ts";
import type { HookSessions } from "../sessions/reported/sessions.ts";

export interface SessionReporterPorts {
  readonly hookSessions: Pick<HookSessions, "apply">;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** Passes on what hooks report: to live sessions before any handler is called, and plan limits to the ledger. */
export function createSessionReporter({
  hookSessions,
  ledger,
  onProblem,
}: SessionReporterPorts): (event: HookEvent, at: number) => void {
  const limits = new PlanLimitChanges();
  const record = async (entries: readonly LedgerEntry[]) => {
    const done = await ledger.append(entries);
    if (done.ok) return;
    limits.forget();
    onProblem(`Could not record the plan limits: ${done.detail.text}`);
  };
  return (event, at) => {
    const report = sessionReportOf(event, at);
    if (report === null) return;
    hookSessions.apply(report);
    const entries = limits.entriesOf(report);
    if (entries.length > 0) record(entries).catch((error: unknown) => onProblem(String(error)));
  };
}
