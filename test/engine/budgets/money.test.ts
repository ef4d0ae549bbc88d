import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readAmount, typedAmount, unitNames } from "../../../src/engine/budgets/amounts.ts";
import { newBudget, type Level, type PeriodName } from "../../../src/engine/budgets/budget.ts";
import { getBudgetReport } from "../../../src/engine/budgets/budget-report.ts";
import { checkBudget } from "../../../src/engine/budgets/check/check.ts";
import { describeAnswer } from "../../../src/engine/budgets/check/describe-answer.ts";
import { createBudget, loadBudget } from "../../../src/engine/budgets/convoys/convoys-store.ts";
import { sealJson } from "../../../src/engine/budgets/convoys/sealed-json.ts";
import { reserveTokens } from "../../../src/engine/budgets/spending/leases.ts";
import { recordUsage } from "../../../src/engine/budgets/spending/record-usage.ts";
import type { AgentDay, SessionTotals } from "../../../src/engine/budgets/spending/session-totals.ts";
import { FileSpending } from "../../../src/engine/budgets/spending/spending-file.ts";
import { MemoryDisk, seededRandom, seededTurns } from "./support/memory-files.ts";
import { callOf, hour, noon, portsOn, project, TestClock, valueOf, withBudget } from "./support/ports.ts";

const usd = (amount: number, period: PeriodName = "day"): Level => ({ amount, unit: "usd", period });
const inConvoy = (level: Level) => ({ convoyId: "fleet", levels: { convoy: level } });
const today = "2026-11-18";

describe("an amount as people write it", () => {
  for (const [text, amount, unit] of [
    ["500k", 500_000, "tokens"],
    ["1.5M tokens", 1_500_000, "tokens"],
    ["5usd", 5, "usd"],
    ["$5.50", 5.5, "usd"],
    ["0.25 dollars", 0.25, "usd"],
    ["1,000 USD", 1000, "usd"],
    ["300credits", 300, "credits"],
    ["12.5 credits", 12.5, "credits"],
  ] as const)
    it(`${text} is ${amount} ${unit}`, () => assert.deepEqual(readAmount(text), { amount, unit }));

  for (const text of [
    "",
    "-5usd",
    "$-5",
    "NaN usd",
    "5eur",
    "€5",
    "0usd",
    "$5 credits",
    "1e3usd",
    "5k usd",
    "1e99",
    "999999999999usd",
  ])
    it(`"${text}" is none`, () => assert.equal(readAmount(text), undefined));

  it("is read back as it is shown", () => {
    const cents = fc.integer({ min: 10, max: 1e9 }).map((value) => value / 100);
    fc.assert(
      fc.property(cents, (amount) =>
        assert.deepEqual(readAmount(typedAmount("usd", amount)), { amount, unit: "usd" }),
      ),
    );
  });
});

describe("a limit in money", () => {
  it("is kept in its file with amount, unit and period", async () => {
    const disk = new MemoryDisk();
    valueOf(await createBudget(inConvoy(usd(5)), portsOn(disk.port())));
    const { budget } = valueOf(await loadBudget("fleet", portsOn(disk.port())));
    assert.deepEqual(budget.levels, { convoy: usd(5) });
  });

  it("is refused with an explanation if it is negative, no number, too exact, or in another currency", async () => {
    const wrong: readonly Level[] = [
      ...[-1, 0, NaN, Infinity, 0.123_456_78].map((amount) => usd(amount)),
      { amount: 1.5, unit: "tokens", period: "day" },
    ];
    for (const level of wrong) {
      const made = newBudget(inConvoy(level), noon);
      assert.ok(!made.ok, String(level.amount));
      assert.match(
        made.detail.text,
        /the limit of convoy has an amount, a unit \(tokens, usd, credits\) and a period/u,
      );
    }
    const disk = new MemoryDisk();
    const levels = { convoy: { amount: 5, unit: "eur", period: "day" } };
    const content = { schema: 3, convoyId: "fleet", warnPercent: 80, levels };
    disk.files.set(`${project}/.purser/budgets/fleet.json`, Buffer.from(sealJson(content)));
    const loaded = await loadBudget("fleet", portsOn(disk.port()));
    assert.match(
      loaded.ok ? "" : loaded.detail.text,
      /its content is not what purser writes at levels\.convoy/u,
    );
  });

  it("leaves files of the second version as they are, in tokens", async () => {
    const disk = new MemoryDisk();
    const file = `${project}/.purser/budgets/fleet.json`;
    const content = {
      schema: 2,
      convoyId: "fleet",
      warnPercent: 80,
      levels: { project: { limit: 9, period: "run" } },
    };
    const bytes = Buffer.from(sealJson(content));
    disk.files.set(file, bytes);
    const { budget } = valueOf(await loadBudget("fleet", portsOn(disk.port())));
    assert.deepEqual(budget.levels, { project: { amount: 9, unit: "tokens", period: "run" } });
    assert.deepEqual(disk.files.get(file), bytes);
  });

  it("counts what callers recorded, and says what it lacks", async () => {
    const ports = await withBudget(inConvoy(usd(5)));
    const call = callOf();
    const record = (usage: number, price: number | null) =>
      recordUsage({ call, usage, usd: price, as: { kind: "call", leaseId: null } }, ports);
    valueOf(await record(1000, 3.1));
    const planned = { ...call, projectedTokens: 100, projectedUsd: 2 };
    const answer = valueOf(await checkBudget(planned, ports));
    assert.deepEqual([answer.allowed, answer.remaining], [false, { amount: 0, unit: "usd" }]);
    assert.match(
      describeAnswer(answer).text,
      /^This call would pass a budget: the group "fleet" has used \$3\.10 of \$5\.00 today; this call is projected at \$2\.00 .+--convoy AMOUNTusd$/u,
    );
    valueOf(await record(200, null));
    const lacking = valueOf(await checkBudget(planned, ports));
    assert.match(
      describeAnswer(lacking).text,
      /at least \$3\.10 of \$5\.00 today \(no price is known for 200 tokens\)/u,
    );
    for (const price of [-1, NaN, Infinity]) assert.equal((await record(1, price)).ok, false);
  });

  it("takes the project's average price for a call whose price is unknown", async () => {
    const ports = await withBudget(inConvoy(usd(5)));
    const planned = callOf({ projectedTokens: 100_000 });
    assert.equal(valueOf(await checkBudget(planned, ports)).amounts.usd, 1);
    const as = { kind: "call", leaseId: null } as const;
    valueOf(await recordUsage({ call: callOf(), usage: 1000, usd: 0.002, as }, ports));
    assert.equal(valueOf(await checkBudget(planned, ports)).amounts.usd, 0.2);
  });

  it("counts the larger of what callers and ledgers know of a session, and credits of GitHub Copilot alone", async () => {
    const levels = { convoy: usd(5), project: { amount: 900, unit: "credits", period: "total" } } as const;
    const ports = await withBudget({ convoyId: "fleet", levels, members: { branches: ["*"] } });
    const row: AgentDay = {
      agentId: "main",
      type: null,
      branch: "fleet",
      day: today,
      tokens: 100,
      ofRun: 100,
      at: noon,
      usd: 2.5,
      usdOfRun: 2.5,
      unpriced: 0,
      unpricedOfRun: 0,
    };
    const session: SessionTotals = {
      sessionId: "s1",
      program: "copilot",
      cwd: "/argo",
      branch: "fleet",
      runSince: null,
      mainAt: noon,
      agents: [row],
    };
    const claude = { ...session, sessionId: "s2", program: "claude-code" };
    valueOf(await ports.spending.writeTotals("ledger", [session, claude]));
    const as = { kind: "call", leaseId: null } as const;
    valueOf(await recordUsage({ call: callOf(), usage: 60, usd: 1, as }, ports));
    const [inGroup, inProject] = valueOf(await getBudgetReport("fleet", ports)).levels;
    assert.deepEqual([inGroup?.used, inGroup?.unpriced], [5, 0]);
    assert.deepEqual([inProject?.used, inProject?.unit], [250, "credits"]);
  });
});

/** An agent in a process of its own: spends until nothing is left; one call in ten kills it while it holds its lease. */
async function agent(
  name: string,
  shared: MemoryDisk,
  random: () => number,
  tally: { used: number; aside: number },
) {
  const ports = portsOn(shared.port());
  for (let calls = 0; calls < 4; calls += 1) {
    const cents = 1 + Math.floor(random() * 90);
    const call = { ...callOf({ agentId: name, projectedTokens: 1 }), projectedUsd: cents / 100 };
    const { lease } = valueOf(await reserveTokens(call, ports));
    if (lease === null) continue;
    tally.aside += cents;
    if (random() < 0.1) return;
    const used = Math.floor(random() * (cents + 1));
    tally.aside -= cents;
    tally.used += used;
    const as = { kind: "call", leaseId: lease.id } as const;
    valueOf(await recordUsage({ call, usage: 1, usd: used / 100, as }, ports));
  }
}

it("Two windows that race for a group's last cents never pass the limit, though agents are killed: 200 seeds", async () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seededRandom(seed);
    const shared = new MemoryDisk(seededTurns(random));
    const limit = 20 + (seed % 150);
    valueOf(await createBudget(inConvoy(usd(limit / 100)), portsOn(shared.port())));
    const tally = { used: 0, aside: 0 };
    await Promise.all(["helm", "oars"].map((name) => agent(name, shared, random, tally)));
    const [state] = valueOf(await getBudgetReport("fleet", portsOn(shared.port()))).levels;
    assert.deepEqual(
      [Math.round((state?.used ?? 0) * 100), Math.round((state?.reserved ?? 0) * 100)],
      [tally.used, tally.aside],
      `seed ${seed}`,
    );
    assert.ok(tally.used + tally.aside <= limit, `seed ${seed}`);
  }
});

describe("a clock that jumps", () => {
  const as = { kind: "call", leaseId: null } as const;

  it("gives no period its money twice, however it jumps", async () => {
    const jump = fc.integer({ min: -40 * 24, max: 400 * 24 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(jump, { maxLength: 12 }),
        fc.constantFrom(...unitNames),
        async (jumps, unit) => {
          const clock = new TestClock();
          const amount = unit === "tokens" ? 10 : 0.1;
          const levels = {
            convoy: { amount, unit, period: "day" } as const,
            project: { amount: 2 * amount, unit, period: "month" } as const,
          };
          const ports = await withBudget({ convoyId: "fleet", levels }, { clock });
          const spent = new Map<string, number>();
          const spend = async () => {
            const at = new Date(clock.time);
            const prices = { projectedUsd: 0.01, projectedCredits: 0.01 };
            const call = { ...callOf({ projectedTokens: 1 }), ...prices };
            while (valueOf(await checkBudget(call, ports)).allowed) {
              valueOf(await recordUsage({ call, usage: 1, usd: 0.01, credits: 0.01, as }, ports));
              for (const key of [at.toDateString(), `${at.getFullYear()} ${at.getMonth()}`])
                spent.set(key, (spent.get(key) ?? 0) + 1);
            }
          };
          await spend();
          for (const hours of jumps) {
            clock.time = noon + hours * hour;
            await spend();
            clock.time = noon;
            await spend();
          }
          for (const [key, count] of spent)
            assert.ok(count <= (/^\d/u.test(key) ? 20 : 10), `${key}: ${count}`);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("neither ends a lease nor prolongs it, in any process of the machine", async () => {
    const disk = new MemoryDisk();
    const clock = new TestClock();
    let since = 1000;
    const ticks = () => ({ now: clock.time, boot: "b1", since });
    const process = () => {
      const own = {
        project,
        files: disk.port(),
        unique: () => `u${Math.random()}`,
        pause: () => Promise.resolve(),
        ticks,
      };
      return portsOn(disk.port(), { clock, spending: new FileSpending(own) });
    };
    valueOf(await createBudget(inConvoy(usd(1)), process()));
    const call = { ...callOf({ projectedTokens: 1 }), projectedUsd: 1 };
    const minutes = 60_000;
    assert.ok(valueOf(await reserveTokens(call, process(), 10 * minutes)).lease);
    clock.time += 5 * hour;
    assert.equal(valueOf(await reserveTokens(call, process())).lease, null);
    clock.time -= 9 * hour;
    since += 10 * minutes - 1;
    assert.equal(valueOf(await reserveTokens(call, process())).lease, null);
    since += 1;
    assert.ok(valueOf(await reserveTokens(call, process())).lease);
  });
});
