import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import type { LedgerBasis } from "../../../../src/engine/ledger/basis.ts";
import { ledgerGroupings } from "../../../../src/engine/ledger/questions/use-counts.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { withOverrides } from "../../../../src/engine/usage/catalogue/catalogue-overrides.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { engine, open, response, appendEntries } from "../support/support.ts";

/** Milliseconds since the epoch. */
const first = Date.UTC(2026, 10, 1);
const prices = [
  builtInCatalogue,
  withOverrides(builtInCatalogue, { "claude-opus-4-5": { input: 1 } }).catalogue,
] as const;
const dayOf = localDays();
const days = [
  { dayOf, zone: "here" },
  { dayOf: (at: number) => dayOf(at + 36_000_000), zone: "there" },
] as const;
const filters = [
  { since: null, until: null, project: null, program: null },
  { since: "2026-11-02", until: "2026-11-03", project: "/b", program: "codex" },
] as const;

const session = fc.constantFrom("one", "other");
const at = fc.constantFrom(null, first, first + 36 * 3_600_000);
const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom<Value | null>(...values, null);
const message = fc.constantFrom("msg_0", "msg_1");

/** Few distinct values, so that entries mostly overlap. */
const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc
    .record({ messageId: message, requestId: maybe("a"), sessionId: session, isSidechain: fc.boolean(), at })
    .chain((of) =>
      fc
        .record({
          agentId: maybe("a1"),
          cwd: maybe("/a", "/b"),
          branch: maybe("main"),
          input: fc.nat(300_000),
        })
        .map(({ input, ...more }) =>
          response(1, { ...of, ...more, usage: { ...noUsage, input, output: 5 } }),
        ),
    ),
  fc
    .record({
      id: fc.constantFrom("call-1", "call-2"),
      sessionId: session,
      messageId: maybe("msg_0", "msg_1"),
      at,
    })
    .chain((call) =>
      fc
        .record({
          tool: maybe("Read", "Bash"),
          isError: maybe(true, false),
          resultChars: fc.option(fc.nat(99)),
        })
        .map((more): LedgerEntry => ({ kind: "tool-call", ...call, ...more })),
    ),
  fc
    .record({
      id: fc.constantFrom("1", "2"),
      sessionId: session,
      at,
      path: maybe("/p"),
      chars: fc.option(fc.nat(99)),
    })
    .map((read): LedgerEntry => ({ kind: "file-read", ...read })),
  fc
    .record({ sessionId: session, type: maybe("Explore", "Plan") })
    .map((agent): LedgerEntry => ({ kind: "subagent", agentId: "a1", ...agent })),
  fc
    .record({ id: session, program: maybe("codex"), branch: maybe("x", "y"), cwd: maybe("/b"), lastAt: at })
    .map((reported): LedgerEntry => ({ kind: "session", ...reported })),
  fc
    .record({ sessionId: session })
    .map((reported): LedgerEntry => ({ kind: "hook-event", id: "h", event: "Stop", ...reported })),
);

const step = fc.oneof(
  { weight: 20, arbitrary: fc.array(entry, { minLength: 1, maxLength: 2 }).map((entries) => ({ entries })) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(1), fc.nat(1)).map((asked) => ({ asked })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("close", "checkpoint", "compact").map((reopened) => ({ reopened })),
  },
);

test("Whenever they were made, stored and made again, sums equal those of the present rows", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const folder = scratchFolder(t);
      let ledger = await open(t, folder);
      // The twin is queried with other day boundaries of the same name each time, so that its cache is never valid.
      const twin = await open(t, scratchFolder(t));
      let asked: readonly [number, number] = [0, 0];
      let afreshes = 0;
      for (const each of steps) {
        if ("entries" in each) {
          await appendEntries(ledger, ...each.entries);
          await appendEntries(twin, ...each.entries);
        } else if ("asked" in each) ({ asked } = each);
        else {
          if (each.reopened === "checkpoint") await ledger.checkpoint();
          if (each.reopened === "compact") await ledger.compact();
          await ledger.close();
          ledger = await open(t, folder);
        }
        const basis = basisOf(asked);
        const afresh = {
          ...basis,
          dayOf: (time: number) => basis.dayOf(time),
          zone: `afresh-${(afreshes += 1)}`,
        };
        assert.deepEqual(answers(ledger, basis), answers(twin, afresh));
      }
      await ledger.close();
      await twin.close();
    }),
    { numRuns: 40 },
  );
});

const projectOf = (folder: string): string => folder;

function basisOf([price, day]: readonly [number, number]): LedgerBasis {
  return { catalogue: prices[price] ?? prices[0], projectOf, ...(days[day] ?? days[0]) };
}

function answers(ledger: Ledger, basis: LedgerBasis): unknown {
  return [
    filters.map((filter) => ledger.ask("overview", filter, basis)),
    filters.flatMap((filter) => ledgerGroupings.map((by) => ledger.ask("usage", { ...filter, by }, basis))),
    ledger.ask("sessions", {}).map(({ id }) => ledger.ask("sessionPage", id, basis)),
  ];
}

test("A ledger with too many sums for memory gives the same answers", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const sessions = 120;
  for (let number = 0; number < sessions; number += 1)
    await appendEntries(
      ledger,
      ...Array.from({ length: 200 }, (_, turn) =>
        response(turn, {
          messageId: `msg_${number}_${turn}`,
          sessionId: `session-${number}`,
          cwd: `/folder-${turn}`,
        }),
      ),
    );
  const basis = { catalogue: builtInCatalogue, projectOf, ...days[0] };
  for (let round = 0; round < 3; round += 1) {
    const { totals, projects, sessionCount } = ledger.ask("overview", filters[0], basis);
    assert.equal(totals.responses, sessions * 200 + round);
    assert.deepEqual([projects.length, sessionCount], [200, sessions]);
    // A session with sums in memory, or one without.
    await appendEntries(
      ledger,
      response(1, { messageId: `more_${round}`, sessionId: `session-${round * 50}`, cwd: "/folder-1" }),
    );
  }
});

test("Sums are there after a restart, though nothing was appended since the last snapshot", async (t) => {
  const folder = scratchFolder(t);
  const basis: LedgerBasis = { catalogue: builtInCatalogue, projectOf, ...days[0] };
  const rowsOf = async (ledger: Ledger) => {
    const pieces: Uint8Array[] = [];
    for await (const bytes of ledger.export({ format: "sqlite", since: null })) pieces.push(bytes);
    const db = new engine.Database(Buffer.concat(pieces));
    const [found] = db.exec("SELECT count(*) FROM session_usage");
    db.close();
    return found?.values[0]?.[0];
  };
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1));
  await ledger.snapshot();
  ledger.ask("overview", filters[0], basis);
  await ledger.snapshot();
  await ledger.close();
  assert.equal(await rowsOf(await open(t, folder)), 1);
});
