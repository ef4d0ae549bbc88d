import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  mergedTotals,
  type AgentDay,
  type SessionTotals,
} from "../../../../src/engine/budgets/spending/session-totals.ts";
import { readTotals, totalsText } from "../../../../src/engine/budgets/spending/ledger-totals.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { MemoryDisk } from "../support/memory-files.ts";
import { callOf, noon, portsOn, project, valueOf, withBudget } from "../support/ports.ts";

const folder = path.join(project, ".purser", "spending");

function session(
  tokens: number,
  over: Partial<SessionTotals> = {},
  row: Partial<AgentDay> = {},
): SessionTotals {
  return {
    sessionId: "s1",
    program: "claude-code",
    cwd: "/argo",
    branch: "main",
    runSince: null,
    mainAt: noon,
    agents: [
      { agentId: "main", type: null, branch: "main", day: "2026-11-18", tokens, ofRun: 0, at: noon, ...row },
    ],
    ...over,
  };
}

describe("a ledger's report on a project", () => {
  it("replaces its previous report, and leaves those of other ledgers and callers", async () => {
    const disk = new MemoryDisk();
    const ports = portsOn(disk.port());
    const other = portsOn(disk.port());
    valueOf(await recordUsage({ call: callOf(), usage: 5, as: { kind: "call", leaseId: null } }, ports));
    valueOf(await ports.spending.writeTotals("a", [session(10), session(20, { sessionId: "s2" })]));
    valueOf(await other.spending.writeTotals("b", [session(7, { sessionId: "s3" })]));
    valueOf(await ports.spending.writeTotals("a", [session(9)]));
    for (const { spending } of [ports, other]) {
      const { totals, usage } = valueOf(await spending.read());
      assert.deepEqual(
        totals.map(({ sessionId, agents }) => [sessionId, agents[0]?.tokens]),
        [
          ["s1", 9],
          ["s3", 7],
        ],
      );
      assert.equal(usage.length, 1);
    }
    assert.deepEqual(await other.spending.totalsBy("a"), [session(9)]);
    assert.deepEqual(
      [await other.spending.hasTotalsBy("a"), await other.spending.hasTotalsBy("c")],
      [true, false],
    );
  });

  it("survives a change of callers' reports, whose file contains none of it", async () => {
    const ports = await withBudget({ convoyId: "fleet" });
    valueOf(await ports.spending.writeTotals("a", [session(10)]));
    valueOf(await recordUsage({ call: callOf(), usage: 5, as: { kind: "call", leaseId: null } }, ports));
    assert.equal(valueOf(await ports.spending.read()).totals.length, 1);
  });

  it("is the same when it is read again, and nothing else for any byte that was changed", () => {
    const bytes = totalsText([session(10), session(20, { sessionId: "s2" }, { day: null, type: "Explore" })]);
    assert.deepEqual(valueOf(readTotals(bytes)), [
      session(10),
      session(20, { sessionId: "s2" }, { day: null, type: "Explore" }),
    ]);
    for (let index = 0; index < bytes.length; index += 1) {
      const damaged = Buffer.from(bytes);
      damaged[index] = (damaged[index] ?? 0) ^ 1;
      assert.equal(readTotals(damaged).ok, false, `byte ${index}`);
      assert.equal(readTotals(bytes.subarray(0, index)).ok, false, `cut at ${index}`);
    }
  });

  it("that is damaged stops who would spend, names its file, and is written over by its ledger", async () => {
    const disk = new MemoryDisk();
    const { spending } = portsOn(disk.port());
    const file = path.join(folder, "ledger.a.json");
    disk.files.set(file, Buffer.from("{"));
    const read = await spending.read();
    assert.ok(
      !read.ok && read.reason === "corrupt" && read.detail.text.startsWith(file),
      JSON.stringify(read),
    );
    assert.deepEqual(await spending.totalsBy("a"), []);
    valueOf(await spending.writeTotals("a", [session(3)]));
    assert.equal(valueOf(await spending.read()).totals.length, 1);
  });
});

describe("callers' reports under the first version", () => {
  it("are kept, without the ledger's report, which now has its own file", async () => {
    const disk = new MemoryDisk();
    const ports = portsOn(disk.port());
    const row = { ...callOf(), runId: "s1", day: "2026-11-18", at: noon };
    const { convoyId, agentId, sessionId, runId } = row;
    const rows = [
      { convoyId, agentId, sessionId, runId, day: row.day, settled: 4, observed: 90, at: noon },
      { convoyId, agentId: "main", sessionId, runId, day: row.day, settled: 0, observed: 90, at: noon },
    ];
    const { createHash } = await import("node:crypto");
    const content = JSON.stringify({ schema: 1, usage: rows, leases: [], recorded: [{ id: "x", at: noon }] });
    const checksum = createHash("sha256").update(content).digest("hex").slice(0, 16);
    disk.files.set(
      path.join(folder, "spending.3.json"),
      Buffer.from(`{"checksum":"${checksum}","content":${content}}\n`),
    );
    const { usage, recorded } = valueOf(await new FileSpending(ports).read());
    assert.deepEqual(usage, [{ ...rows[0], observed: 0 }]);
    assert.equal(recorded.length, 1);
  });
});

const row = fc.record({
  agentId: fc.constantFrom("main", "a1"),
  branch: fc.constantFrom("main", null),
  day: fc.constantFrom("2026-11-18", null),
  tokens: fc.nat(9),
});
const reported = fc.uniqueArray(
  fc.record({
    sessionId: fc.constantFrom("s1", "s2", "s3"),
    rows: fc.uniqueArray(row, {
      selector: ({ agentId, branch, day }) => JSON.stringify([agentId, branch, day]),
    }),
  }),
  { selector: ({ sessionId }) => sessionId },
);

it("With several ledgers each session counts once, with the larger of two reports, in any order", () => {
  const totalsIn = (list: { sessionId: string; rows: Partial<AgentDay>[] }[]) =>
    list.map(({ sessionId, rows }) =>
      session(0, {
        sessionId,
        agents: rows.map((each) => ({ ...(session(0).agents[0] ?? assert.fail()), ...each })),
      }),
    );
  const sumOf = (list: readonly SessionTotals[]) =>
    list.flatMap(({ agents }) => agents).reduce((sum, { tokens }) => sum + tokens, 0);
  fc.assert(
    fc.property(reported, reported, (one, other) => {
      const both = [totalsIn(one), totalsIn(other)] as const;
      const expected = new Map<string, number>();
      for (const { sessionId, agents } of both.flat())
        for (const { agentId, branch, day, tokens } of agents) {
          const key = JSON.stringify([sessionId, agentId, branch, day]);
          expected.set(key, Math.max(tokens, expected.get(key) ?? 0));
        }
      const sum = [...expected.values()].reduce((all, tokens) => all + tokens, 0);
      for (const order of [both, both.toReversed(), [...both, ...both]])
        assert.equal(sumOf(mergedTotals(order)), sum);
    }),
  );
});
