import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { latestVersion } from "../../../src/engine/ledger/store/migrations.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../src/engine/usage/local-day.ts";
import { localZone } from "../../../src/engine/usage/local-zone.ts";
import { ledgerPorts } from "../../engine/ledger/support/support.ts";
import { busySession, sessionLength } from "../ledger/busy-session.ts";

export interface MemoryLedger {
  /** Responses, with all their related entries. */
  readonly responses: number;
  /** Hooks per day, for a year. */
  readonly hooksPerDay: number;
}

const everything = { since: null, until: null, project: null, program: null };
const day = 86_400_000;
const year = 365;
/** Hooks per session. */
const hooksPerSession = 250;
/** Hooks in the proportions in which an agent posts them. */
const hooks = [
  { event: "PreToolUse", tool: "Bash", outcome: "none" },
  { event: "PostToolUse", tool: "Bash", outcome: "none" },
  { event: "PreToolUse", tool: "Read", outcome: "none" },
  { event: "PostToolBatch", tool: null, outcome: "none" },
  { event: "PostToolUse", tool: "Edit", outcome: "none" },
  { event: "PreToolUse", tool: "Edit", outcome: "none" },
  { event: "PostToolBatch", tool: null, outcome: "none" },
  { event: "UserPromptSubmit", tool: null, outcome: "advise" },
  { event: "Stop", tool: null, outcome: "none" },
  { event: "SubagentStop", tool: null, outcome: "none" },
] as const;

/**
 * Returns the folder of a synthetic ledger with sessions spread over the last year. Reuses the one on disk if
 * there is one.
 *
 * @param now milliseconds since the epoch
 */
export async function ensureLedger(wanted: MemoryLedger, now: number): Promise<string> {
  const { responses, hooksPerDay } = wanted;
  const today = Math.floor(now / day);
  const name = `purser-ledger-v4-${latestVersion()}-${responses}-${hooksPerDay}-${today}`;
  const folder = path.join(os.tmpdir(), name);
  if (existsSync(folder)) return folder;
  const begun = `${folder}.new`;
  rmSync(begun, { recursive: true, force: true });
  mkdirSync(begun, { mode: 0o700 });
  const opened = await openLedger({ ...ledgerPorts(), folder: begun });
  if (!opened.ok) throw new Error(opened.detail.text);
  const ledger = opened.value;
  const sessions = Math.round(responses / sessionLength);
  for (let number = 0; number < sessions; number += 1)
    await appendAll(
      ledger,
      busySession(number, now - Math.round((year * day * (sessions - number)) / sessions)),
    );
  for (let back = year; back > 0 && hooksPerDay > 0; back -= 1) {
    await appendAll(ledger, hooksOf(now - back * day, hooksPerDay));
    // As a service that runs all year does.
    const summed = await ledger.ageOut(now - (back - 1) * day);
    if (!summed.ok) throw new Error(summed.detail.text);
  }
  // The first overview is done beforehand: the benchmark measures later starts.
  ledger.ask("overview", everything, { catalogue: builtInCatalogue, dayOf: localDays(), zone: localZone() });
  // A snapshot that is already being written lacks later entries and answers, so a second one is needed.
  await ledger.snapshot();
  const made = await ledger.snapshot();
  if (!made.ok) throw new Error(made.detail.text);
  await ledger.close();
  renameSync(begun, folder);
  return folder;
}

async function appendAll(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const done = await ledger.append(entries);
  if (!done.ok) throw new Error(done.detail.text);
}

function hooksOf(from: number, count: number): LedgerEntry[] {
  const sessions = Math.ceil(count / hooksPerSession);
  return Array.from({ length: count }, (_, number): LedgerEntry => {
    const { event, tool, outcome } = hooks[number % hooks.length] ?? hooks[0];
    const at = from + Math.floor((number * day) / count);
    const id = `hook:${String(at)}-${String(number).padStart(22, "0")}`;
    return {
      kind: "hook-event",
      id,
      at,
      event,
      tool,
      outcome,
      sessionId: `5e551014-0000-4000-8000-${String(Math.floor(from / day) * sessions + (number % sessions)).padStart(12, "0")}`,
      agentId: number % 7 === 0 ? "a-1" : null,
      handler: outcome === "none" ? null : "advice",
      durationMs: 0.2 + (number % 97) / 100,
      injectedChars: outcome === "none" ? 0 : 120,
    };
  });
}
