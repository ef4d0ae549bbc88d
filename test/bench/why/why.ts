/**
 * `npm run bench -- why [--seeds N] [--verbose]`: a made-up month of ordinary work with seven planted causes, for each of some seeds.
 * Counts the causes that are named first for their day and for their session, and the ordinary days with a clause: false
 * alarms. Then measures the answer on a ledger of 100,000 responses. Fails if fewer than six of seven are found.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { openLedger } from "../../../src/engine/ledger/store/open.ts";
import type { Why, WhyQuestion } from "../../../src/engine/ledger/why-answers.ts";
import { ledgerPorts } from "../../engine/ledger/support/support.ts";
import { makeMonth } from "./made-month.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "5" }, verbose: { type: "boolean", default: false } },
});
const planted = 7;
const all: Omit<WhyQuestion, "session"> = { since: null, until: null, project: null, program: null };
/** Maximum time of an answer. Milliseconds. */
const goal = 300;

interface Score {
  found: number;
  foundInSession: number;
  sessions: number;
  quiet: number;
  alarms: number;
  quietSessions: number;
  sessionAlarms: number;
}

const scores: Score[] = [];
for (let seed = 1; seed <= Number(values.seeds); seed += 1) scores.push(await scoreOf(seed));
const sum = (of: (score: Score) => number) => scores.reduce((total, each) => total + of(each), 0);
console.log(
  `all: ${sum(({ found }) => found)} of ${planted * scores.length} days, ` +
    `${sum(({ foundInSession }) => foundInSession)} of ${sum(({ sessions }) => sessions)} sessions; ` +
    `false alarms on ${sum(({ alarms }) => alarms)} of ${sum(({ quiet }) => quiet)} ordinary days, ` +
    `${sum(({ sessionAlarms }) => sessionAlarms)} of ${sum(({ quietSessions }) => quietSessions)} ordinary sessions have a clause`,
);
await measure();
for (const [index, { found }] of scores.entries())
  assert.ok(found >= planted - 1, `seed ${index + 1}: only ${found} of ${planted} causes are named first`);

/** @param again asks after a restart, with the sums that were stored before */
async function withLedger<Value>(
  entries: readonly LedgerEntry[],
  ask: (ledger: Ledger) => Value,
  again?: (ledger: Ledger) => void,
): Promise<Value> {
  const folder = mkdtempSync(path.join(tmpdir(), "purser-why-"));
  const opened = await openLedger({ ...ledgerPorts(), folder });
  if (!opened.ok) throw new Error(opened.reason);
  try {
    for (let start = 0; start < entries.length; start += 2000)
      assert.ok((await opened.value.append(entries.slice(start, start + 2000))).ok);
    const answer = ask(opened.value);
    if (again !== undefined) assert.ok((await opened.value.snapshot()).ok);
    await opened.value.close();
    if (again !== undefined) {
      const reopened = await openLedger({ ...ledgerPorts(), folder });
      assert.ok(reopened.ok);
      again(reopened.value);
      await reopened.value.close();
    }
    return answer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function scoreOf(seed: number): Promise<Score> {
  const { entries, days } = makeMonth(seed, planted);
  return await withLedger(entries, (ledger) => {
    const score: Score = {
      found: 0,
      foundInSession: 0,
      sessions: 0,
      quiet: 0,
      alarms: 0,
      quietSessions: 0,
      sessionAlarms: 0,
    };
    for (const { day, planted: cause, session } of days) {
      const answer = ledger.ask("why", { ...all, since: day, until: day, session: null });
      assert.ok(answer !== null);
      const first = answer.clauses[0]?.cause;
      if (cause === null) {
        if (answer.usd === 0) continue;
        score.quiet += 1;
        if (first !== undefined) score.alarms += 1;
        if (first !== undefined || values.verbose) console.log(`  ${day} ordinary: ${inShort(answer)}`);
        continue;
      }
      const isFound = first === cause;
      score.found += Number(isFound);
      console.log(`  ${day} ${isFound ? "found" : "MISSED"} ${cause}: ${inShort(answer)}`);
      if (session === null) continue;
      score.sessions += 1;
      const own = ledger.ask("why", { ...all, session });
      assert.ok(own !== null);
      const isFoundThere = own.clauses[0]?.cause === cause;
      score.foundInSession += Number(isFoundThere);
      if (!isFoundThere || values.verbose) console.log(`    in its session: ${inShort(own)}`);
    }
    const ordinary = new Set(days.filter((each) => each.planted === null).map(({ day }) => day));
    for (const entry of entries) {
      if (entry.kind !== "session" || !ordinary.has(entry.id.slice(0, 10))) continue;
      score.quietSessions += 1;
      const own = ledger.ask("why", { ...all, session: entry.id });
      if ((own?.clauses.length ?? 0) > 0) score.sessionAlarms += 1;
    }
    console.log(
      `seed ${seed}: ${score.found} of ${planted} days, ${score.foundInSession} of ${score.sessions} sessions, ` +
        `false alarms on ${score.alarms} of ${score.quiet} ordinary days`,
    );
    return score;
  });
}

function inShort({ usd, usual, clauses, rest, change }: Why): string {
  const parts = clauses.map(({ percent, text }) => `${percent} % ${text.text}`);
  const saved = change === null ? "" : ` → ${change.text.text} ($${change.usd.toFixed(2)})`;
  return `$${(usd ?? 0).toFixed(2)} (usual ${usual?.usd.toFixed(2) ?? "?"}): ${[...parts, `${rest.percent} % ${rest.text.text}`].join("; ")}${saved}`;
}

async function measure(): Promise<void> {
  const entries: LedgerEntry[] = [];
  let last = "";
  // A year of work, one made-up month after the other.
  for (let part = 0; entries.filter(({ kind }) => kind === "response").length < 100_000; part += 1) {
    const month = makeMonth(1000 + part, planted, new Date(2024, 0, 1 + part * 58));
    entries.push(...month.entries);
    last = month.days.findLast(({ planted: cause }) => cause !== null)?.day ?? last;
  }
  const timeOf = (ledger: Ledger, asked: WhyQuestion) => {
    const begun = performance.now();
    ledger.ask("why", asked);
    return performance.now() - begun;
  };
  const day = { ...all, since: last, until: last, session: null };
  const questions = { day, session: { ...all, session: `${last}-0` }, everything: { ...all, session: null } };
  const report = (name: string, time: number, most = Infinity) => {
    console.log(`  ${name.padEnd(40)}${time.toFixed(0).padStart(6)} ms`);
    assert.ok(time <= most, `slower than ${most} ms`);
  };
  console.log(`${entries.filter(({ kind }) => kind === "response").length} responses:`);
  await withLedger(
    entries,
    (ledger) => {
      report("a day, the first time ever", timeOf(ledger, day));
      for (const [name, asked] of Object.entries(questions))
        report(name, Math.min(...[1, 2, 3].map(() => timeOf(ledger, asked))), goal);
    },
    (ledger) => report("a day, after a restart", timeOf(ledger, day), goal),
  );
}
