import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  overview as overviewSchema,
  type LedgerFilter,
  type Overview,
} from "../../../../src/engine/ledger/ledger-answers.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { ledgerGroupings } from "../../../../src/engine/ledger/questions/use-counts.ts";
import type { UsageReport } from "../../../../src/engine/usage/sum.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { addUsage, noUsage, type TokenUsage } from "../../../../src/engine/usage/token-counts.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ledgerPorts, open, response, appendEntries } from "../support/support.ts";

const everything: LedgerFilter = { since: null, until: null, project: null, program: null };
const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).getTime();

const session = fc.constantFrom("s1", "s2", "s3");
const message = fc.nat(9).map((number) => `msg_${number}`);
const agentId = fc.constantFrom(null, null, "a1", "a2");
const time = fc.constantFrom(null, at(1), at(2), at(3));
const tokens = fc.nat(100_000);
const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.record({
    kind: fc.constant("response" as const),
    messageId: message,
    sessionId: session,
    agentId,
    model: fc.constantFrom("claude-opus-4-5", "a-model-nobody-knows"),
    at: time,
    cwd: fc.constantFrom("/a", "/b", null),
    branch: fc.constantFrom("main", null),
    isSidechain: fc.constant(false),
    usage: fc.record({
      input: tokens,
      output: tokens,
      cacheCreation5m: tokens,
      cacheCreation1h: tokens,
      cacheRead: tokens,
    }),
  }),
  fc.record({
    kind: fc.constant("tool-call" as const),
    id: fc.nat(20).map((number) => `toolu_${number}`),
    sessionId: session,
    messageId: fc.option(message),
    at: time,
    tool: fc.constantFrom("Bash", "Read", null),
    skill: fc.constantFrom("notes", null),
    server: fc.constantFrom("tracker", null),
    inputChars: fc.option(fc.nat(50)),
    resultChars: fc.nat(50),
    isError: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("file-read" as const),
    id: fc.nat(20).map((number) => `toolu_${number}`),
    sessionId: session,
    at: time,
    path: fc.constantFrom("/x", "/y"),
    chars: fc.option(fc.nat(50)),
  }),
  fc.record({
    kind: fc.constant("subagent" as const),
    sessionId: session,
    agentId: fc.constantFrom("a1", "a2"),
    type: fc.constantFrom("Explore", "Plan"),
  }),
  fc.record({
    kind: fc.constant("session" as const),
    id: session,
    program: fc.constantFrom("claude-code", "codex"),
    branch: fc.constantFrom("main", "other"),
    cwd: fc.constant("/a"),
    lastAt: time,
  }),
);
const filter = fc.record({
  since: fc.constantFrom(null, "2026-11-02"),
  until: fc.constantFrom(null, "2026-11-02"),
  project: fc.constantFrom(null, "/a"),
  program: fc.constantFrom(null, "codex"),
});

test("Whatever the entries and their pieces, the overview equals that of a newly queried ledger, and adds up", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 60 }), fc.nat(60), filter, async (entries, split, some) => {
      const folder = scratchFolder(t);
      const opened = await openLedger({ ...ledgerPorts(), folder });
      assert.ok(opened.ok);
      const ledger = opened.value;
      await appendEntries(ledger, ...entries.slice(0, split));
      ledger.ask("overview", everything, basis);
      await appendEntries(ledger, ...entries.slice(split));
      const warm = [everything, some].map((each) => ledger.ask("overview", each, basis));
      await ledger.close();
      const again = await openLedger({ ...ledgerPorts(), folder });
      assert.ok(again.ok);
      const fresh = [everything, some].map((each) => again.value.ask("overview", each, basis));
      assert.deepEqual(warm, fresh);
      for (const [index, each] of fresh.entries()) {
        overviewSchema.parse(each);
        check(each);
        for (const by of ledgerGroupings) {
          const asked = index === 0 ? everything : some;
          const report: UsageReport = again.value.ask("usage", { by, ...asked }, basis);
          const { totals, undated } = report;
          assert.deepEqual({ totals, undated }, { totals: each.totals, undated: each.undated });
        }
      }
      await again.value.close();
    }),
    { numRuns: 40 },
  );
});

function check(overview: Overview): void {
  const { totals, days, sessions, undated } = overview;
  const models = days.flatMap((day) => day.models);
  for (const parts of [overview.projects, overview.models, overview.branches, overview.subagents, sessions]) {
    assert.deepEqual(usageOf(parts), totals.usage);
    assert.equal(countOf(parts), totals.responses);
    assert.equal(nanosOf(parts), nanosOf([totals]));
  }
  for (const parts of [overview.tools, overview.skills, overview.servers]) {
    assert.deepEqual(usageOf(parts), totals.usage);
    assert.equal(nanosOf(parts), nanosOf([totals]));
  }
  const costs = Object.values(overview.costByKind).reduce((sum, usd) => sum + usd, 0);
  assert.ok(Math.abs(costs - (totals.usd ?? 0)) < 1e-6);
  if (overview.hours !== null) {
    const hours = overview.hours.flatMap((hour) => hour.models);
    assert.deepEqual(usageOf(hours), totals.usage);
    assert.equal(nanosOf(hours), nanosOf([totals]));
  }
  const programs = days.flatMap((day) => day.programs);
  assert.deepEqual(usageOf(programs), usageOf(models));
  assert.equal(nanosOf(programs), nanosOf(models));
  if (undated > 0) assert.equal(countOf(models), totals.responses);
}

function usageOf(parts: readonly { usage: TokenUsage }[]): TokenUsage {
  return parts.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

function countOf(parts: readonly { responses: number }[]): number {
  return parts.reduce((sum, { responses }) => sum + responses, 0);
}

/** Billionths of a dollar: the parts' sums are exact in these. */
function nanosOf(parts: readonly { usd: number | null }[]): number {
  return parts.reduce((sum, { usd }) => sum + Math.round((usd ?? 0) * 1e9), 0);
}

test("A single day is split by hour, and only a single day", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const used = (input: number) => ({ ...noUsage, input });
  await appendEntries(
    ledger,
    response(1, { sessionId: "one", at: at(1, 9), cwd: "/a", usage: used(100) }),
    response(2, { sessionId: "one", at: at(1, 9) + 60_000, cwd: "/a", usage: used(20) }),
    response(3, { sessionId: "one", at: at(1, 23), cwd: "/b", usage: used(3) }),
    response(4, { sessionId: "one", at: at(2, 0), cwd: "/a", usage: used(4000) }),
  );
  const day = { ...everything, since: "2026-11-01", until: "2026-11-01" };
  const hoursOf = (filter: LedgerFilter) =>
    ledger
      .ask("overview", filter, basis)
      .hours?.map(({ hour, models }) => [hour, models.reduce((sum, { usage }) => sum + usage.input, 0)]) ??
    null;
  assert.deepEqual(hoursOf(day), [
    [9, 120],
    [23, 3],
  ]);
  assert.deepEqual(hoursOf({ ...day, project: "/a" }), [[9, 120]]);
  assert.equal(hoursOf({ ...day, until: "2026-11-02" }), null);
  assert.equal(hoursOf(everything), null);
});

test("An overview breaks down, ranks and filters the ledger's content", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const used = (input: number) => ({ ...noUsage, input });
  const call = { kind: "tool-call", sessionId: "one", messageId: "msg_1", at: at(1) } as const;
  const read = { kind: "file-read", sessionId: "one", path: "/src/main.ts", chars: 100 } as const;
  await appendEntries(
    ledger,
    { kind: "session", id: "one", program: "claude-code", cwd: "/a", branch: "main", lastAt: at(2) },
    { kind: "session", id: "two", program: "codex", cwd: "/b", title: "Port", lastAt: at(3) },
    { kind: "session", id: "silent", program: "copilot", cwd: "/b", lastAt: at(1) },
    { kind: "subagent", sessionId: "one", agentId: "a1", type: "Explore" },
    response(1, { sessionId: "one", at: at(1), cwd: "/a", usage: used(101), branch: "main" }),
    response(2, { sessionId: "one", at: at(2), cwd: "/a", usage: used(10), agentId: "a1", branch: "fix" }),
    response(3, { sessionId: "two", at: at(3), cwd: "/b", usage: used(1000), model: "nobody-knows" }),
    { ...call, id: "t1", tool: "Bash", inputChars: 5, resultChars: 50 },
    { ...call, id: "t2", tool: "mcp__tracker__find", server: "tracker", isError: true },
    { ...read, id: "t3", at: at(1) },
    { ...read, id: "t4", at: at(2) },
    { kind: "plan-limit", program: "codex", name: "primary", at: at(1), usedPercent: 10 },
    { kind: "plan-limit", program: "codex", name: "primary", at: at(3), usedPercent: 40, windowMinutes: 300 },
    { kind: "anomaly", id: "x", sessionId: "two", cause: "stall", at: at(3), turns: '["msg_3"]' },
  );
  const all = ledger.ask("overview", everything, basis);
  const inputs = (parts: Overview["models"]) => parts.map(({ key, usage }) => [key, usage.input]);
  assert.equal(all.totals.usage.input, 1111);
  assert.equal(all.totals.unpriced, 1);
  assert.deepEqual(
    all.days.map(({ day, models }) => [day, ...inputs(models)]),
    [
      ["2026-11-01", ["claude-opus-4-5", 101]],
      ["2026-11-02", ["claude-opus-4-5", 10]],
      ["2026-11-03", ["nobody-knows", 1000]],
    ],
  );
  assert.deepEqual(inputs(all.programs), [
    ["codex", 1000],
    ["claude-code", 111],
  ]);
  assert.deepEqual(inputs(all.branches), [
    [null, 1000],
    ["main", 101],
    ["fix", 10],
  ]);
  assert.deepEqual(inputs(all.subagents), [
    [null, 1101],
    ["Explore", 10],
  ]);
  assert.deepEqual(inputs(all.tools), [
    [null, 1010],
    ["Bash", 51],
    ["mcp__tracker__find", 50],
  ]);
  assert.deepEqual(inputs(all.servers), [
    [null, 1061],
    ["tracker", 50],
  ]);
  const tracker = all.servers.find(({ key }) => key === "tracker");
  assert.deepEqual([tracker?.calls, tracker?.errors, tracker?.responses], [1, 1, 1]);
  assert.deepEqual(all.rereads, [{ path: "/src/main.ts", sessionId: "one", reads: 2, chars: 200 }]);
  assert.deepEqual(
    all.sessions.map(({ id, responses }) => [id, responses]),
    [
      ["two", 1],
      ["one", 2],
      ["silent", 0],
    ],
  );
  assert.deepEqual(
    all.planLimits.map(({ usedPercent, at: reported }) => [usedPercent, reported]),
    [[40, at(3)]],
  );
  assert.deepEqual(
    all.anomalies.map(({ turns, title, project }) => ({ turns, title, project })),
    [{ turns: ["msg_3"], title: "Port", project: "/b" }],
  );
  assert.deepEqual(all.choices, {
    projects: ["/a", "/b"],
    programs: ["claude-code", "codex", "copilot"],
    machines: [],
  });

  const early = ledger.ask("overview", { ...everything, until: "2026-11-01" }, basis);
  assert.deepEqual(
    early.sessions.map(({ id }) => id),
    ["one", "silent"],
  );
  assert.deepEqual([early.totals.responses, early.rereads, early.anomalies], [1, [], []]);
  assert.deepEqual(early.choices, all.choices);
  const codex = ledger.ask("overview", { ...everything, program: "codex", project: "/b" }, basis);
  assert.deepEqual([codex.sessionCount, codex.totals.usage.input, codex.tools.length], [1, 1000, 1]);
  assert.equal(ledger.ask("overview", { ...everything, project: "/nowhere" }, basis).totals.responses, 0);

  const rows = (by: "agent" | "branch" | "subagent" | "tool" | "skill") =>
    ledger
      .ask("usage", { by, since: null, until: null }, basis)
      .rows.map(({ key, usage }) => [key, usage.input]);
  assert.deepEqual(rows("agent"), [
    ["claude-code", 111],
    ["codex", 1000],
  ]);
  assert.deepEqual(rows("branch"), [
    ["fix", 10],
    ["main", 101],
    ["unknown", 1000],
  ]);
  assert.deepEqual(rows("subagent"), [
    ["Explore", 10],
    ["main", 101],
    ["main", 1000],
  ]);
  assert.deepEqual(rows("tool"), [
    ["Bash", 51],
    ["mcp__tracker__find", 50],
    ["none", 10],
    ["none", 1000],
  ]);
  assert.deepEqual(rows("skill"), [
    ["none", 111],
    ["none", 1000],
  ]);
});

test("A call belongs to its session when a fork repeats it, and the fork's own facts count in the fork", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const call = { kind: "tool-call", id: "t1", messageId: "msg_1", tool: "Bash" } as const;
  const bash = () => ledger.ask("overview", everything, basis).tools.find(({ key }) => key === "Bash");
  await appendEntries(ledger, response(1, { sessionId: "one" }), { ...call, sessionId: "one" });
  assert.equal(bash()?.errors, 0);
  await appendEntries(ledger, { ...call, sessionId: "fork", isError: true });
  assert.deepEqual([bash()?.calls, bash()?.errors, bash()?.responses], [1, 1, 1]);
  assert.equal(ledger.ask("sessionPage", "one", basis)?.tools[0]?.calls, 1);
  assert.deepEqual(ledger.ask("sessionPage", "fork", basis)?.tools, []);
});
