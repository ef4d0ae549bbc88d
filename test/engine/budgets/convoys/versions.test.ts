import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  levelNames,
  presentLevel,
  presentLevels,
  type FormerLevel,
  type Level,
} from "../../../../src/engine/budgets/budget.ts";
import {
  acceptBudget,
  loadBudget,
  saveBudget,
} from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { sealJson } from "../../../../src/engine/budgets/convoys/sealed-json.ts";
import { setLimit } from "../../../../src/engine/budgets/convoys/members.ts";
import { MemoryDisk } from "../support/memory-files.ts";
import { noon, portsOn, project, TestClock, valueOf } from "../support/ports.ts";

const file = path.join(project, ".purser", "budgets", "fleet.json");
const first = { schema: 1, convoyId: "fleet", warnPercent: 70, members: { branches: ["oars/*"] } } as const;
const day = { limit: 100, period: "day" } as const;
const run = { limit: 50, period: "run" } as const;
const inTokens = (amount: number, period: Level["period"]): Level => ({ amount, unit: "tokens", period });

/** A file in the first version's format. */
function written(levels: object) {
  const disk = new MemoryDisk();
  const clock = new TestClock();
  disk.files.set(file, Buffer.from(sealJson({ ...first, levels })));
  return { disk, clock, ports: portsOn(disk.port(), { clock }) };
}

describe("a budget of the first version", () => {
  it("is read as it was, and nothing is written by that", async () => {
    const { disk, ports } = written({ convoy: day, agent: { limit: 30, period: "week" } });
    const before = disk.files.get(file);
    const { budget } = valueOf(await loadBudget("fleet", ports));
    const { convoyId, warnPercent, members } = first;
    assert.deepEqual(budget, {
      schema: 3,
      convoyId,
      warnPercent,
      members,
      levels: { agent: inTokens(30, "week"), convoy: inTokens(100, "day") },
    });
    assert.equal(disk.files.get(file), before);
  });

  it("gets the present version once changed, with an unknown creation time", async () => {
    const { disk, ports } = written({ convoy: day });
    valueOf(await setLimit({ convoyId: "fleet", level: "agent", amount: 7, unit: "tokens" }, ports));
    const { budget } = valueOf(await loadBudget("fleet", ports));
    assert.deepEqual(budget.levels, { agent: inTokens(7, "total"), convoy: inTokens(100, "day") });
    assert.deepEqual([budget.createdAt, budget.updatedAt], [undefined, new Date(noon).toISOString()]);
    assert.deepEqual([budget.members, budget.warnPercent], [first.members, 70]);
    assert.match(disk.files.get(file)?.toString() ?? "", /"schema": 3,/u);
  });

  it("that was damaged or edited by hand is treated like a present one", async () => {
    const { disk, ports } = written({ convoy: day });
    const edited = disk.files.get(file)?.toString().replace("100", "900") ?? "";
    disk.files.set(file, Buffer.from(edited));
    const loaded = await loadBudget("fleet", ports);
    assert.ok(!loaded.ok && loaded.reason === "corrupt" && loaded.detail.text.includes("--accept"));
    assert.equal(valueOf(await acceptBudget("fleet", ports)).budget.levels.convoy?.amount, 900);
  });

  const runs: readonly [string, object, Record<string, FormerLevel>][] = [
    ["a session's run is all of the session", { session: run }, { session: { ...run, period: "total" } }],
    ["an agent's run is all of the agent", { agent: run }, { agent: { ...run, period: "total" } }],
    ["a group's run is each of its sessions", { convoy: run }, { session: { ...run, period: "total" } }],
    [
      "a group's run beside a session's limit is each run",
      { convoy: run, session: day },
      { convoy: run, session: day },
    ],
    ["a project's run is each run", { project: run }, { project: run }],
  ];
  for (const [name, before, after] of runs)
    it(`means what it meant: ${name}`, async () => {
      const { ports } = written(before);
      assert.deepEqual(valueOf(await loadBudget("fleet", ports)).budget.levels, presentLevels(after));
    });

  it("keeps every limit", async () => {
    const level = fc.record(
      { limit: fc.integer({ min: 1, max: 1e12 }), period: fc.constantFrom("run", "day", "week", "month") },
      { noNullPrototype: true },
    );
    const levels = fc
      .record(Object.fromEntries(levelNames.map((name) => [name, level])), {
        requiredKeys: [],
        noNullPrototype: true,
      })
      .filter((reported) => Object.keys(reported).length > 0);
    await fc.assert(
      fc.asyncProperty(levels, async (reported) => {
        const { ports } = written(reported);
        const { budget, revision } = valueOf(await loadBudget("fleet", ports));
        const limits = (of: object) =>
          Object.values<Level | FormerLevel>({ ...of })
            .map((each) => presentLevel(each).amount)
            .sort();
        assert.deepEqual(limits(budget.levels), limits(reported));
        assert.deepEqual(valueOf(await saveBudget(budget, revision, ports)).budget.levels, budget.levels);
      }),
    );
  });
});

it("When a budget was made is never changed by who changes it, and when it was changed is", async () => {
  const { ports, clock } = written({ convoy: day });
  const stored = valueOf(await loadBudget("fleet", ports));
  const lie = {
    ...stored.budget,
    createdAt: "2001-01-01T00:00:00.000Z",
    updatedAt: "2001-01-01T00:00:00.000Z",
  };
  clock.time = noon + 1000;
  const { budget } = valueOf(await saveBudget(lie, stored.revision, ports));
  assert.deepEqual([budget.createdAt, budget.updatedAt], [undefined, new Date(noon + 1000).toISOString()]);
});
