import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { printReport } from "../../../src/engine/cli/report-print.ts";
import { styleFor } from "../../../src/engine/cli/style.ts";
import type { ReportView } from "../../../src/engine/service/rules-view.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const look = { style: styleFor({ env: {}, stdout: { write: () => true, isTTY: false } }), now };

/** A report of one thing each. @param texts in the place of everything that others may write */
function reportWith(texts: readonly string[]): ReportView {
  const [agent = "", project = "", rule = "", why = "", model = "", driver = "", version = "", body = ""] =
    texts;
  const [id = "", to = ""] = texts.slice(8);
  return {
    agents: [
      {
        ...{ agent, runs: 12, median: 41_000, p75: 60_000, rent: 66, saving: 2890 },
        rules: { candidate: 1, approved: 0, measured: 1, active: 2, shelved: 0, evicted: 1 },
        learned: [
          {
            version: null,
            at: null,
            rules: null,
            runs: 7,
            mean: 52_000,
            median: 50_000,
            p25: 40_000,
            p75: 60_000,
          },
          { version, at: now, rules: 2, runs: 5, mean: 41_500, median: 41_000, p25: 39_000, p75: 44_000 },
        ],
        suites: [
          { model, suiteHash: "s", driver, tasks: 4, run1: 100_000, best: 70_000, last: 88_000, lastAt: now },
        ],
      },
    ],
    projects: [{ project, runs: 12, tokens: 492_000 }],
    evictions: [{ id, agent, text: rule, at: now, why }],
    receipts: 3,
    questions: { count: 1, newest: [{ id, agent, toAgent: to, at: now, body }] },
    metaCost: { realWork: 492_000, benches: 88_000, share: 88 / 492 },
  };
}

const plain = ["scout", "/p", "Read once.", "It costs 310.", "m", "claude", "3", "May I?", "r1", "main"];

test("A report tells suites against their baseline, learning by version, evictions, questions and what measuring took", () => {
  assert.equal(
    printReport(reportWith(plain), look).replaceAll(/\d{2}:\d{2}:\d{2}/gu, "TIME"),
    `Agent  Runs  Median     p75  Active  Waiting  To measure  Rent  Saves
─────────────────────────────────────────────────────────────────────
scout    12  41,000  60,000       2        2           0    66  2,890

Golden suite of  Model  Driver  Tasks     run1    Best    Last  to run1  When
─────────────────────────────────────────────────────────────────────────────────
scout            m      claude      4  100,000  70,000  88,000     -12%  TIME

Learning of  Memory     Rules  Runs    Mean  Median     p25     p75
───────────────────────────────────────────────────────────────────
scout        none yet       -     7  52,000  50,000  40,000  60,000
scout        version 3      2     5  41,500  41,000  39,000  44,000

Project  Runs  Processing tokens
────────────────────────────────
/p         12            492,000

Evicted lately:
  r1 of scout: Read once. (It costs 310.)

One message between agents waits for an answer:
  scout to main, TIME: May I?

Benches took 88,000 processing tokens in seven days, 18% of the 492,000 of real work; more than 10% is much for measuring
3 receipts of measured rules
`,
  );
});

test("What measuring took is told without a warning where it is little, and without a share where there was no work", () => {
  const quiet = { ...reportWith(plain), metaCost: { realWork: 1000, benches: 100, share: 0.1 } };
  assert.match(printReport(quiet, look), /in seven days, 10% of the 1,000 of real work\n/u);
  const idle = { ...reportWith(plain), metaCost: { realWork: 0, benches: 100, share: null } };
  assert.match(printReport(idle, look), /in seven days; there was no real work\n/u);
  const much = { ...reportWith(plain), metaCost: { realWork: 100, benches: 300, share: 3 } };
  assert.match(printReport(much, look), /, 300% of the 100 of real work; more than/u);
});

/** What could end a line, hide one, or move the cursor. */
const nasty = fc.array(
  fc.oneof(
    fc.constantFrom(
      "\n",
      "\r",
      "\u2028",
      "\u2029",
      "\u0085",
      "\u000b",
      "\u001b",
      "\u009b",
      "\u202e",
      "\u200b",
      "\u0000",
    ),
    fc.constantFrom("\u001b[2J", "\n3 receipts of measured rules\n", "\u001b]0;x\u0007", "\r\nscout  99"),
    fc.string({ unit: "binary", maxLength: 20 }),
  ),
  { maxLength: 8 },
);

test("No text from outside adds a line to a report, or anything that is not printed", () => {
  const lines = printReport(reportWith(plain), look).split("\n").length;
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 10, maxLength: 10 }), (parts) => {
      const printed = printReport(reportWith(parts.map((each) => each.join(""))), look);
      assert.equal(printed.split(/[\n\r\u2028\u2029\u0085\u000b\u000c]/u).length, lines);
      assert.doesNotMatch(printed.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});
