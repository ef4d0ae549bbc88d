import test from "node:test";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { selectRules } from "../../../src/engine/rules/selection.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { assert } from "../support/assert-texts.ts";
import { rule } from "./support/support.ts";
import { approved, World } from "./support/world.ts";

const never = new AbortController().signal;

test("A rule that saves is admitted with a sealed receipt; useless ones measured with it are not", async () => {
  const context = new World(
    [
      approved("r1", "This one really saves."),
      { ...approved("r2", "This one does nothing."), decidedAt: 2 },
      { ...approved("r3", "Nor does this third one."), decidedAt: 3 },
    ],
    (memory) => ({ factor: memory.includes("really saves") ? 0.6 : 1, breaks: false }),
  );
  const outcome = await selectRules(context.request(), context.ports(), never);
  assert.equal(outcome.end.kind, "done");
  assert.deepEqual(
    context.rules.map(({ status }) => status === "active"),
    [true, false, false],
  );
  const [first, ...others] = outcome.settled;
  assert.equal(first?.receipt.verdict.kind, "saves");
  assert.ok(readReceipt(JSON.stringify(first.receipt)).ok);
  assert.deepEqual([first.receipt.driver, first.receipt.recordedBy], ["claude", []]);
  for (const { receipt } of others) assert.notEqual(receipt.verdict.kind, "saves");
  // Settled, it stays in every run of the others.
  for (const { memory } of context.benches.at(-1)?.configurations ?? [])
    assert.match(memory ?? "", /really saves/u);
  assert.ok(context.benches[0]?.configurations.some(({ memory }) => !memory?.includes("saves")));
});

test("A rule that breaks a task is evicted, whatever it saves", async () => {
  const context = new World([approved("r1", "This one really saves.")], (memory) => ({
    factor: memory === "" ? 1 : 0.5,
    breaks: memory !== "",
  }));
  await selectRules(context.request(), context.ports(), never);
  assert.equal(context.rules[0]?.status, "evicted");
});

test("Only approved or active rules are run", async () => {
  const context = new World([rule({ id: "r1" }), rule({ id: "r2", status: "shelved" })], () => ({
    factor: 1,
    breaks: false,
  }));
  const outcome = await selectRules(context.request({ ruleIds: ["r1", "r2"] }), context.ports(), never);
  assert.deepEqual([outcome.settled, context.rounds], [[], []]);
});

test("No round starts that is expected to pass the cap, and the remaining work is reported", async () => {
  const context = new World([approved("r1", "First of these."), approved("r2", "Second of these.")], () => ({
    factor: 1,
    breaks: false,
  }));
  const { rules } = context;
  const outcome = await selectRules(context.request({ tokenCap: 200_000 }), context.ports(), never);
  assert.ok(outcome.tokensSpent <= 200_000, String(outcome.tokensSpent));
  // Rules that share their runs share the cap too: each has its evidence, to be pooled with what another day adds.
  assert.deepEqual([outcome.end.kind, outcome.settled.length], ["done", 2]);
  for (const { receipt } of outcome.settled) assert.equal(receipt.verdict.stop, "cap");
  context.rules = rules;
  const none = await selectRules(
    context.request({ tokenCap: 20_000, ruleIds: ["r1"] }),
    context.ports(),
    never,
  );
  assert.deepEqual(none.end, { kind: "cap", left: 1 });
});

test("A cancelled or paused measurement decides nothing, and continues in the same bench", async () => {
  const context = new World([approved("r1", "This one really saves.")], () => ({
    factor: 0.6,
    breaks: false,
  }));
  const stop = new AbortController();
  const cancelled = await selectRules(
    context.request(),
    context.ports({ round: () => (stop.abort(), Promise.resolve({ kind: "cancelled" })) }),
    stop.signal,
  );
  assert.deepEqual([cancelled.end.kind, cancelled.settled.length], ["cancelled", 0]);
  assert.equal(context.rules[0]?.status, "approved");
  const paused = await selectRules(
    context.request(),
    context.ports({ round: () => Promise.resolve({ kind: "paused", detail: plainSentence("quota") }) }),
    never,
  );
  assert.deepEqual([paused.end, paused.settled.length], [{ kind: "paused", detail: "quota" }, 0]);
});

test("Measurements of other days count, for candidates and in re-audits", async () => {
  const context = new World([approved("r1", "This one does nothing.")], () => ({ factor: 1, breaks: false }));
  const first = await selectRules(context.request({ tokenCap: 400_000 }), context.ports(), never);
  const evidence = first.settled.map((each) => each.evidence);
  context.rules = [approved("r1", "This one does nothing.")];
  const again = await selectRules(
    context.request({ id: "select-2", evidence, tokenCap: 400_000 }),
    context.ports(),
    never,
  );
  const rounds = again.settled[0]?.receipt.rounds;
  assert.ok((rounds?.pooled ?? 0) > 0);
  assert.deepEqual(rounds?.from, [evidence[0]?.id]);
  context.rules = [{ ...approved("r1", "This one does nothing."), status: "active" }];
  const audit = await selectRules(
    context.request({ id: "select-3", evidence, tokenCap: 400_000 }),
    context.ports(),
    never,
  );
  const audited = audit.settled[0]?.receipt.rounds;
  assert.equal(audited?.pooled, rounds.pooled);
  assert.ok(audited.own > 0);
});
