import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { whyJson } from "../../../../src/engine/cli/why/why-schema.ts";
import { parseJson } from "../../../../src/engine/base/parse.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { appendEntries, open, response } from "../../ledger/support/support.ts";
import { Scratch } from "../support/support.ts";

/** A ledger with these entries, and `purser why` that reads it without a service. */
async function place(t: TestContext, entries: readonly LedgerEntry[]) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  if (entries.length > 0) {
    const ledger = await open(t, path.join(scratch.root, ".purser"));
    await appendEntries(ledger, ...entries);
    await ledger.close();
  }
  return (...argv: string[]) => scratch.purser(["why", ...argv]);
}

const day = (date: number, minute = 0) => new Date(2026, 10, date, 9, minute).getTime();

/** Six ordinary days, and one on which the cache expired in ten pauses. */
const week: readonly LedgerEntry[] = [10, 11, 12, 13, 14, 15, 20].flatMap((date): LedgerEntry[] => {
  const id = `${date}aa-bb-cc`;
  const responses = Array.from({ length: 30 }, (_, turn) => {
    const isLate = date === 20 && turn > 0 && turn % 3 === 0;
    const size = turn === 0 ? 15_000 : 60_000 + turn * 200;
    const cacheRead = turn === 0 || isLate ? 0 : turn === 1 ? 15_000 : size - 200;
    return response(date * 100 + turn, {
      sessionId: id,
      at: day(date, turn + (date === 20 ? Math.floor(turn / 3) * 9 : 0)),
      cwd: "/argo",
      usage: { ...noUsage, cacheRead, cacheCreation5m: size - cacheRead, output: 50 },
    });
  });
  const title = date === 20 ? "Caulk the\u001b[31m hull" : null;
  return [
    {
      kind: "session",
      id,
      program: "claude-code",
      cwd: "/argo",
      title,
      firstAt: day(date),
      lastAt: day(date, 59),
    },
    ...responses,
  ];
});

test("a day is explained by clauses that add up, with their turns, and by what would have saved most", async (t) => {
  const why = await place(t, week);
  const { stdout, stderr, code } = await why("2026-11-20");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    stdout,
    [
      "$4.59 on 2026-11-20",
      "Usual for a day: $1.34, the median of 6",
      "",
      "  77%  The cache expired in 9 pauses, and ~565,000 tokens were written to it again",
      "       Caulk the hull (20aa-bb-) · $3.53 · turns 16, 19, 22, 25, 28",
      "  23%  The rest, as usual",
      "",
      "What would have saved most: After a long pause, begin a new session with a handover (~$2.58)",
      "  What writing the whole context again cost, less what a new session needs",
      "",
    ].join("\n"),
  );
  const own = await why("20aa");
  assert.match(own.stdout, /^\$4\.59 for Caulk the hull\n/u);
  assert.match(own.stdout, /\n {7}turns 16, 19, 22, 25, 28\n/u);
});

test("a day without a cause is as usual, and one without usage is empty", async (t) => {
  const why = await place(t, week);
  assert.match((await why("2026-11-15")).stdout, / 100% {2}Nothing stands out: all of it is as usual\n/u);
  assert.equal((await why()).stdout, "Nothing was used on 2026-11-21.\n");
  assert.match(
    (await why("--project", "/argo")).stdout,
    /^\$5\.92 from 2026-11-15 to 2026-11-21 · \/argo\n/u,
  );
  assert.equal((await why("--project", "/elsewhere")).stdout, "Nothing was used in this time.\n");
});

test("JSON follows its schema", async (t) => {
  const why = await place(t, week);
  const answer = whyJson.parse(parseJson((await why("2026-11-20", "--json")).stdout));
  assert.equal(answer.clauses[0]?.cause, "cache-rebuilt");
  assert.equal(answer.clauses[0].proofs[0]?.session.title, "Caulk the\u001b[31m hull");
  assert.deepEqual(
    [...answer.clauses, answer.rest].map(({ percent }) => percent),
    [77, 23],
  );
});

test("what cannot be explained is said, with what to do", async (t) => {
  const why = await place(t, week);
  const unknown = await why("nobody");
  assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
  assert.match(unknown.stderr, /no session with the ID "nobody", or several begin with it/u);
  assert.equal((await why("1")).code, 1, "several sessions begin with it");
  const both = await why("nobody", "--project", "/argo");
  assert.deepEqual([both.code, /--project goes with a day/u.test(both.stderr)], [2, true]);
  assert.match((await why("current")).stderr, /no agent says which session runs this command/u);
  const unpriced = await place(t, [response(1, { model: "nobody-knows-it", at: day(20) })]);
  assert.match((await unpriced("2026-11-20")).stdout, /^No price is known/u);
  const empty = await place(t, []);
  assert.equal((await empty()).code, 1);
});
