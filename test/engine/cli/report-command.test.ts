import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { missingFolder, printReport } from "../../../src/engine/cli/report-command.ts";
import { styleFor } from "../../../src/engine/cli/style.ts";
import { missingOf } from "../../../src/engine/rules/needs.ts";
import type { ReportView } from "../../../src/engine/rules/rules-answers.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const look = { style: styleFor({ env: {}, stdout: { write: () => true, isTTY: false } }), now };

/** A report with one item of each kind. @param texts replace everything that others may write */
function reportWith(texts: readonly string[]): ReportView {
  const [agent = "", project = "", rule = "", why = "", model = "", driver = "", version = "", body = ""] =
    texts;
  const [id = "", to = "", program = "", what = "", file = ""] = texts.slice(8);
  return {
    project: null,
    agents: [
      {
        program,
        agent,
        runs: 12,
        median: 41_000,
        p75: 60_000,
        weeks: [],
        rent: 66,
        saving: 2890,
        rules: { candidate: 1, approved: 0, measured: 1, active: 2, shelved: 0, evicted: 1 },
        active: [
          { id, text: rule, origin: "model", saving: 2890, rent: 41, since: now, measuredAt: now },
          { id, text: rule, origin: "hand", saving: null, rent: 25, since: null, measuredAt: null },
        ],
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
          { model, suiteHash: "s", driver, tasks: 4, run1: 25_000, best: 17_500, last: 22_000, lastAt: now },
        ],
      },
    ],
    projects: [{ project, runs: 12, tokens: 492_000 }],
    evictions: [{ id, agent, text: rule, at: now, why: plainSentence(why) }],
    receipts: 3,
    findings: [
      {
        runId: id,
        sessionId: id,
        agent,
        program,
        project,
        at: now,
        tokens: 90_000,
        usual: null,
        what: [plainSentence(what), plainSentence(why)],
        missing: missingOf([
          { kind: "no-memory", file },
          { kind: "program", program },
        ]),
      },
      {
        runId: id,
        sessionId: id,
        agent,
        program,
        project,
        at: now,
        tokens: 90_000,
        usual: 1000,
        what: [plainSentence(what)],
        missing: [],
      },
    ],
    questions: {
      byAgent: [{ agent, asked: 5, approved: 3, denied: 1 }],
      count: 1,
      newest: [{ id, agent, toAgent: to, at: now, body }],
    },
    metaCost: { realWork: 492_000, benches: 88_000, share: 88 / 492 },
  };
}

const plain = [
  "scout",
  "/p",
  "Read once.",
  "It costs 310.",
  "m",
  "claude",
  "3",
  "May I?",
  "r1",
  "main",
  "claude-code",
  "It read a file twice",
  "/a.md",
];

test("a report shows suites against their baseline, learning by version, evictions, questions and the cost of measuring", () => {
  assert.equal(
    printReport(reportWith(plain), look).replaceAll(/\d{2}:\d{2}:\d{2}/gu, "TIME"),
    `Agent  Runs  Median     p75  Active  Waiting  To measure  Cost/session  Saves
─────────────────────────────────────────────────────────────────────────────
scout    12  41,000  60,000       2        2           0            66  2,890

Active rule  Agent         Saves  Cost/session  From        Since     Sentence
────────────────────────────────────────────────────────────────────────────────
r1           scout         2,890            41  your agent  TIME  Read once.
r1           scout  not measured            25  you         –         Read once.

Golden suite of  Model  Driver  Tasks  Baseline/run  Best/run  Last/run  vs. baseline  When
───────────────────────────────────────────────────────────────────────────────────────────────
scout            m      claude      4        25,000    17,500    22,000          −12%  TIME

Learning of  Memory     Rules  Runs    Mean  Median     p25     p75
───────────────────────────────────────────────────────────────────
scout        none yet       –     7  52,000  50,000  40,000  60,000
scout        version 3      2     5  41,500  41,000  39,000  44,000

Project  Runs  New tokens
─────────────────────────
/p         12     492,000

Found in expensive runs of agents without rules:
  scout, session r1, 90,000: It read a file twice; It costs 310.
    Its definition names no memory: add the line memory: user to /a.md.
    It is not Claude Code's: only Claude Code's agents have a memory that rules go into.
  scout, session r1, 90,000: It read a file twice
    Nothing is missing now: purser rules distil --session r1 proposes rules.

Removed recently:
  r1 of scout: Read once. (It costs 310.)

Messages of  Asked  Approved  Denied
────────────────────────────────────
scout            5         3       1

One message between agents is waiting for an answer:
  scout to main, TIME: May I?

Benchmarks used 88,000 new tokens in seven days, 18% of the 492,000 of real work; more than 10% is a lot for measuring
3 reports of measured rules
`,
  );
});

test("shows a small cost of measuring without a warning, and without a share if there was no work", () => {
  const quiet = { ...reportWith(plain), metaCost: { realWork: 1000, benches: 100, share: 0.1 } };
  assert.match(printReport(quiet, look), /in seven days, 10% of the 1,000 of real work\n/u);
  const idle = { ...reportWith(plain), metaCost: { realWork: 0, benches: 100, share: null } };
  assert.match(printReport(idle, look), /in seven days, with no real work\n/u);
  const much = { ...reportWith(plain), metaCost: { realWork: 100, benches: 300, share: 3 } };
  assert.match(printReport(much, look), /, 300% of the 100 of real work; more than/u);
});

/** Characters that could end a line, hide one, or move the cursor. */
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

test("no outside text adds a line or unprintable characters to a report", () => {
  const lines = printReport(reportWith(plain), look).split("\n").length;
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 13, maxLength: 13 }), (parts) => {
      const printed = printReport(reportWith(parts.map((each) => each.join(""))), look);
      assert.equal(printed.split(/[\n\r\u2028\u2029\u0085\u000b\u000c]/u).length, lines);
      assert.doesNotMatch(printed.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test("a folder that is not there, and in which nothing was run, is wrong usage", () => {
  const report = { ...reportWith([]), projects: [{ project: "/gone", runs: 1, tokens: 5 }] };
  assert.equal(
    missingFolder({ ...report, project: "/nope" })?.text,
    'there is no folder "/nope", and no run in it',
  );
  for (const project of [null, "/gone", import.meta.dirname])
    assert.equal(missingFolder({ ...report, project }), null);
});
