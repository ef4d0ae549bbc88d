import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { aggregateUsage } from "../../../../src/engine/usage/aggregate.ts";
import { groupings } from "../../../../src/engine/usage/sum.ts";
import { type ApiResponse, ResponseSet } from "../../../../src/engine/usage/api-response.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { withOverrides } from "../../../../src/engine/usage/catalogue/catalogue-overrides.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ledgerPorts, open, response, appendEntries } from "../support/support.ts";

const tokens = fc.nat(300_000);
const copies = fc.array(
  fc.record({
    messageId: fc.nat(12).map((number) => `msg_${number}`),
    requestId: fc.constantFrom("req_1", "req_2", null),
    // A copy in a session other than its original's would be distinguished by where it was read; see the ledger's own
    // test.
    sessionId: fc.constant("session"),
    model: fc.constantFrom("claude-opus-4-5", "gemini-2.5-pro", "a-model-nobody-knows"),
    at: fc.option(fc.integer({ min: 1_700_000_000_000, max: 1_700_400_000_000 })),
    cwd: fc.constantFrom("/a", "/b", null),
    isSidechain: fc.boolean(),
    usage: fc.record({
      input: tokens,
      output: tokens,
      cacheCreation5m: tokens,
      cacheCreation1h: tokens,
      cacheRead: tokens,
    }),
  }),
  { maxLength: 30 },
);

test("The ledger's sums equal every copy counted by ResponseSet and aggregated", async (t) => {
  const dayOf = localDays();
  const other = withOverrides(builtInCatalogue, { "claude-opus-4-5": { input: 1 } }).catalogue;
  await fc.assert(
    fc.asyncProperty(copies, fc.nat(30), async (rows, split) => {
      const opened = await openLedger({ ...ledgerPorts(), folder: scratchFolder(t) });
      assert.ok(opened.ok);
      const ledger = opened.value;
      const limits = { since: "2023-11-15", until: "2023-11-17" };
      const check = (reported: readonly ApiResponse[]) => {
        const set = new ResponseSet<ApiResponse>();
        for (const each of reported) set.add(each);
        for (const catalogue of [builtInCatalogue, other])
          for (const by of groupings)
            for (const range of [limits, { since: null, until: null }]) {
              const options = { by, ...range, dayOf, catalogue };
              assert.deepEqual(
                ledger.ask("usage", options, options),
                aggregateUsage(set.responses(), options),
              );
            }
      };
      await appendEntries(
        ledger,
        ...rows.slice(0, split).map((row) => ({ kind: "response" as const, ...row })),
      );
      check(rows.slice(0, split));
      await appendEntries(ledger, ...rows.slice(split).map((row) => ({ kind: "response" as const, ...row })));
      check(rows);
      await ledger.close();
    }),
    { numRuns: 25 },
  );
});

test("Sessions are sorted by their last response, and a fork's copy counts for its original", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const options = {
    by: "session",
    since: null,
    until: null,
    dayOf: localDays(),
    catalogue: builtInCatalogue,
  } as const;
  await appendEntries(
    ledger,
    response(5, { sessionId: "fork", isCopy: true }),
    response(9, { sessionId: "fork" }),
    response(1, { sessionId: "z" }),
  );
  assert.deepEqual(counts(), [
    ["z", 1],
    ["fork", 2],
  ]);
  await appendEntries(ledger, response(5, { sessionId: "z-original" }));
  assert.deepEqual(counts(), [
    ["z", 1],
    ["z-original", 1],
    ["fork", 1],
  ]);
  assert.equal(ledger.ask("sessions", {}).find(({ id }) => id === "fork")?.responses, 1);

  function counts(): [string, number][] {
    return ledger.ask("usage", options, options).rows.map(({ key, responses }) => [key, responses]);
  }
});
