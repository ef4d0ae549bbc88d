import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LedgerFilter } from "../../../src/engine/ledger/ledger-answers.ts";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import { ledgerPorts } from "../../engine/ledger/support/support.ts";
import { busyId, busySession, sessionLength } from "./busy-session.ts";

const everything: LedgerFilter = { since: null, until: null, project: null, program: null };
const rounds = 9;

/**
 * Measures what the ledger's pages cost on a ledger of so many responses, with their calls, reads and runs, by name.
 * Milliseconds; medians except for what happens once: the first overview after opening, and checking all sessions.
 */
export async function measureAnswers(responses: number): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(path.join(tmpdir(), "purser-bench-"));
  try {
    const sessions = Math.max(1, Math.round(responses / sessionLength));
    let ledger = await opened(folder);
    let toolCalls = 0;
    for (let number = 0; number < sessions; number += 1) {
      const entries = busySession(number);
      toolCalls += entries.filter(({ kind }) => kind === "tool-call").length;
      await reportedBy(ledger, entries);
    }
    const allAnomalies = await took(() => ledger.recordAnomalies(Date.UTC(2027, 0, 1)));
    await ledger.snapshot();
    await ledger.close();
    ledger = await opened(folder);
    const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
    const overview = (filter: LedgerFilter) => took(() => ledger.ask("overview", filter, basis));
    const before = process.cpuUsage();
    const firstOverview = await overview(everything);
    const { user, system } = process.cpuUsage(before);
    const warmOverview = await median(() => overview(everything));
    const month = { ...everything, since: "2026-06-01", until: "2026-06-30" };
    const monthOverview = await median(() => overview(month));
    const overviewAfterAppend = await median(async () => {
      await reportedBy(ledger, busySession(sessions - 1).slice(-3));
      return overview(everything);
    });
    const sessionPage = await median(() =>
      took(() => ledger.ask("sessionPage", busyId(sessions - 2), basis)),
    );
    const usageByTool = await median(() =>
      took(() => ledger.ask("usage", { by: "tool", since: null, until: null }, basis)),
    );
    await ledger.recordAnomalies(Date.UTC(2027, 0, 1));
    const anomaliesAfterAppend = await median(async () => {
      await reportedBy(ledger, busySession(sessions - 1).slice(-3));
      return took(() => ledger.recordAnomalies(Date.UTC(2027, 0, 1)));
    });
    await ledger.close();
    return {
      "responses in this ledger": responses,
      "its sessions": sessions,
      "its tool calls": toolCalls,
      "overview, first after opening, ms": firstOverview,
      "the same in CPU time, ms": (user + system) / 1000,
      "overview, ms": warmOverview,
      "overview of a month, ms": monthOverview,
      "overview after an append, ms": overviewAfterAppend,
      "page of a session of 500, ms": sessionPage,
      "usage by tool, ms": usageByTool,
      "search of all sessions, ms": allAnomalies,
      "search after an append, ms": anomaliesAfterAppend,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function opened(folder: string): Promise<Ledger> {
  const result = await openLedger({ ...ledgerPorts(), folder, snapshotAfter: Infinity });
  if (!result.ok) throw new Error(result.detail.text);
  return result.value;
}

async function reportedBy(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const done = await ledger.append(entries);
  if (!done.ok) throw new Error(done.detail.text);
}

async function took(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await measure());
  return times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
}
