import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { scheduleRound } from "../../../src/engine/bench/execute/schedule.ts";
import { selectRules } from "../../../src/engine/rules/selection.ts";
import { designSides } from "../../../src/engine/rules/together/sides.ts";
import { storedGroup, type RuleGroup } from "../../../src/engine/rules/together/group.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { rule } from "./support/support.ts";
import { approved, suite, World } from "./support/world.ts";

const never = new AbortController().signal;
const names = ["saves a lot", "saves little", "does nothing", "makes it dearer", "also does nothing"];
const five = () =>
  names.map((name, index) => ({ ...approved(`r${index}`, `This ${name}.`), decidedAt: index }));
const effect = (memory: string) => ({
  factor:
    (memory.includes("saves a lot") ? 0.6 : 1) *
    (memory.includes("saves little") ? 0.85 : 1) *
    (memory.includes("makes it dearer") ? 1.4 : 1),
  breaks: false,
});

test("Five rules are measured with the runs of one, and each gets its own effect", async () => {
  const context = new World(five(), effect);
  const outcome = await selectRules(context.request(), context.ports(), never);
  assert.equal(outcome.end.kind, "done");
  const byId = new Map(outcome.settled.map(({ rule: { id }, receipt }) => [id, receipt]));
  assert.equal(byId.size, 5);
  for (const [id, share] of [
    ["r0", 0.4],
    ["r1", 0.15],
    ["r3", -0.4],
  ] as const) {
    const found = byId.get(id)?.verdict.savingShare;
    assert.ok(found && found.low <= share && share <= found.high, `${id}: ${JSON.stringify(found)}`);
  }
  assert.deepEqual(
    [...byId].sort().map(([, { verdict }]) => verdict.kind === "saves"),
    [true, true, false, false, false],
  );
  for (const [id, receipt] of byId) {
    assert.ok(readReceipt(JSON.stringify(receipt)).ok);
    assert.deepEqual(
      receipt.together?.toSorted(),
      five()
        .map((each) => each.id)
        .filter((other) => other !== id),
    );
  }
  // The parts add up to the whole, but for the rounding of five of them.
  const parts = [...byId.values()].reduce((sum, { spent }) => sum + spent.processingTokens, 0);
  assert.ok(Math.abs(parts - outcome.tokensSpent) <= 5, `${parts} of ${outcome.tokensSpent}`);
  assert.equal(context.group, null);
});

test("Interrupted after a rule was settled, it resumes there, and settles nothing twice", async () => {
  const whole = new World(five(), effect);
  const expected = await selectRules(whole.request(), whole.ports(), never);
  for (const rounds of [1, 3, 6]) {
    const context = new World(five(), effect);
    const stop = new AbortController();
    const ports = context.ports();
    const first = await selectRules(
      context.request(),
      {
        ...ports,
        round: (bench, round, signal) => {
          if (context.rounds.length < rounds) return ports.round(bench, round, signal);
          stop.abort();
          return Promise.resolve({ kind: "cancelled" });
        },
      },
      stop.signal,
    );
    assert.equal(first.end.kind, "cancelled");
    assert.ok(storedGroup.safeParse(JSON.parse(JSON.stringify(context.group))).success);
    const evidence = first.settled.map((settled) => settled.evidence);
    // What was let in meanwhile is audited only on request.
    const rest = await selectRules(context.request({ evidence, audits: 0 }), context.ports(), never);
    const verdicts = (all: typeof expected.settled) =>
      all.map(({ rule: { id }, receipt: { verdict } }) => [id, verdict] as const).sort();
    assert.deepEqual(verdicts([...first.settled, ...rest.settled]), verdicts(expected.settled));
  }
});

test("Begun again with other savings and rents in the ledger, it makes no run twice", async () => {
  const others = [
    rule({ id: "a1", sentence: "An active one.", status: "active", saving: 5 }),
    rule({ id: "a2", sentence: "Another active one.", status: "active", saving: 9 }),
  ];
  const context = new World([...five(), ...others], effect);
  const stop = new AbortController();
  const ports = context.ports();
  const first = await selectRules(
    context.request({ audits: 0 }),
    {
      ...ports,
      round: (bench, round, signal) => {
        if (context.rounds.length < 8) return ports.round(bench, round, signal);
        stop.abort();
        return Promise.resolve({ kind: "cancelled" });
      },
    },
    stop.signal,
  );
  const before = context.benches.map(({ benchId, configurations }) => [benchId, configurations]);
  assert.ok(first.settled.length > 0 && first.settled.length < 5);
  context.rules = context.rules.map((each) => (each.id === "a1" ? { ...each, saving: 900 } : each));
  const evidence = first.settled.map((settled) => settled.evidence);
  await selectRules(context.request({ audits: 0, evidence }), context.ports({ rent: () => 21 }), never);
  const again = context.benches
    .slice(before.length)
    .map(({ benchId, configurations }) => [benchId, configurations]);
  assert.deepEqual(again.slice(0, before.length), before);
});

test("A rule of a finished group is measured again when it is approved again", async () => {
  const context = new World(five(), effect);
  const ports = context.ports();
  const group = {
    load: ports.group.load,
    // As if the process had been killed before the end was stored.
    save: (next: RuleGroup | null) => (next === null ? Promise.resolve() : ports.group.save(next)),
  };
  const first = await selectRules(context.request(), { ...ports, group }, never);
  const evidence = first.settled.map((settled) => settled.evidence);
  context.rules = context.rules.map((each) => (each.id === "r2" ? { ...each, status: "approved" } : each));
  const rounds = context.rounds.length;
  const again = await selectRules(context.request({ evidence, audits: 0 }), { ...ports, group }, never);
  assert.deepEqual(
    again.settled.map((settled) => settled.rule.id),
    ["r2"],
  );
  assert.ok(context.rounds.length > rounds);
});

test("A rule that the user rejected in the meantime is not measured further", async () => {
  const context = new World(five(), effect);
  const stop = new AbortController();
  await selectRules(
    context.request(),
    context.ports({ round: () => (stop.abort(), Promise.resolve({ kind: "cancelled" })) }),
    stop.signal,
  );
  context.rules = context.rules.map((each) => (each.id === "r2" ? { ...each, status: "evicted" } : each));
  const rest = await selectRules(context.request(), context.ports(), never);
  assert.ok(rest.settled.every((settled) => settled.rule.id !== "r2"));
  for (const { configurations } of context.benches)
    for (const { memory } of configurations) assert.ok(!memory?.includes("This does nothing"));
});

test("Active rules are audited with the same runs: costs are shown, and undecided rules stay", async () => {
  const active = names.map((name, index) =>
    rule({ id: `r${index}`, sentence: `This ${name}.`, status: "active" }),
  );
  const context = new World(active, effect);
  const outcome = await selectRules(context.request(), context.ports(), never);
  assert.equal(outcome.settled.length, 5);
  const costly = outcome.settled.find((settled) => settled.rule.id === "r3");
  assert.ok(costly?.receipt.verdict.belowBar);
  assert.equal(costly.receipt.question.kind, "re-audit");
  const kept = outcome.settled.filter(({ receipt }) => !receipt.verdict.belowBar);
  assert.deepEqual(kept.map((settled) => settled.rule.id).sort(), ["r0", "r1", "r2", "r4"]);
});

test("An audit with a candidate adds no runs: the candidate is planned as if it were alone", async () => {
  const context = new World(
    [approved("r1", "This saves a lot."), rule({ id: "r2", sentence: "Active.", status: "active" })],
    effect,
  );
  const { settled } = await selectRules(context.request(), context.ports(), never);
  const candidate = settled.find((each) => each.rule.id === "r1")?.receipt;
  assert.deepEqual([candidate?.question.maxRounds, candidate?.question.plannedRounds], [11, 11]);
  assert.deepEqual(candidate?.together, ["r2"]);
});

test("Each rule is on one side of every pair, in every task and round, independent of the others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 16 }), fc.string(), (count, salt) => {
      const open = Array.from({ length: count }, (_, index) => approved(`r${index}`, `Rule ${index}.`));
      const own = { agent: "scout", model: "ship-1", effort: null };
      const { configurations, rulesOf } = designSides({ own, open, kept: [], others: [], salt });
      const taskIds = suite.tasks.map(({ id }) => id);
      const about = { suite, taskIds, seed: 1, configurations, design: "pairs" } as const;
      const pairs = configurations.length / 2;
      const seen = new Map<number, number>();
      for (let round = 1; round <= pairs; round += 1) {
        const cells = scheduleRound(about, round, null);
        for (const taskId of taskIds) {
          const [one, other] = cells.filter((cell) => cell.taskId === taskId).map(({ side }) => side);
          assert.ok(one !== undefined && other !== undefined);
          assert.equal(Math.floor(one / 2), Math.floor(other / 2));
          const had = [...(rulesOf[one] ?? []), ...(rulesOf[other] ?? [])];
          assert.deepEqual(had.toSorted(), open.map(({ id }) => id).toSorted());
          const pair = Math.floor(one / 2);
          seen.set(pair, (seen.get(pair) ?? 0) + 1);
        }
      }
      // As many rounds as pairs, so each pair occurs once per task.
      assert.deepEqual(
        [...seen.values()],
        Array.from({ length: pairs }, () => taskIds.length),
      );
      for (const [index, { id }] of open.entries())
        for (const { id: other } of open.slice(index + 1)) {
          const together = rulesOf.filter((half) => half.includes(id) && half.includes(other)).length;
          assert.equal(together * 4, count === 2 && pairs === 1 ? 0 : configurations.length);
        }
    }),
    { numRuns: 40 },
  );
});
