import assert from "node:assert/strict";
import test from "node:test";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import type { Suite } from "../../../src/engine/bench/suite/suite.ts";
import { applyAction } from "../../../src/engine/rules/action.ts";
import type { Rule } from "../../../src/engine/rules/rule.ts";
import { selectRules, type SelectPorts, type SelectRequest } from "../../../src/engine/rules/select.ts";
import type { RoundRuns } from "../../../src/engine/verdict/measure-pair.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import type { RulePair } from "../../../src/engine/rules/pair.ts";
import { rule } from "./support/support.ts";

const tasks = ["one", "two", "three"].map((id) => ({
  id,
  agent: "scout",
  title: id,
  prompt: id,
  check: "true",
  checkFiles: [],
  weight: 1,
  solutionPath: null,
  wrongPaths: [],
  path: `/${id}.md`,
  hash: id,
}));
const suite: Suite = {
  origin: "built-in",
  folder: "/suite",
  agents: [],
  tasks,
  fixture: { folder: "/fixture", hash: "f", files: 1, manifest: new Map(), installScripts: false },
};

/** A world in which a rule saves a share of each run, or breaks a task. */
class World {
  readonly pairs: RulePair[] = [];
  readonly rounds: string[] = [];
  rules: Rule[];
  #saves: (memory: string) => { factor: number; breaks: boolean };

  constructor(rules: Rule[], saves: World["effect"]) {
    this.rules = rules;
    this.#saves = saves;
  }

  get effect(): (memory: string) => { factor: number; breaks: boolean } {
    return this.#saves;
  }

  request(over: Partial<SelectRequest> = {}): SelectRequest {
    return {
      id: "select-1",
      agent: "scout",
      rules: this.rules,
      ruleIds: null,
      audits: "all",
      model: "ship-1",
      driver: "claude",
      seed: 1,
      tokenCap: null,
      tokensPerRun: 10_000,
      evidence: [],
      suite,
      ...over,
    };
  }

  ports(over: Partial<SelectPorts> = {}): SelectPorts {
    return {
      round: (pair, round) => Promise.resolve(this.#round(pair, round)),
      rent: () => 20,
      now: () => 5,
      price: () => null,
      onProgress: () => undefined,
      settle: ({ rule: settled, receipt }) => {
        const { verdict, id } = receipt;
        const done = applyAction(
          settled,
          { kind: "measured", verdict, receiptId: id, isActivated: true },
          { who: "purser", at: 5 },
        );
        assert.ok(done.ok, done.ok ? "" : done.detail);
        this.rules = this.rules.map((each) => (each.id === settled.id ? done.value.rule : each));
        return Promise.resolve(done.value.rule);
      },
      ...over,
    };
  }

  #round(pair: RulePair, round: number): RoundRuns {
    this.pairs.push(pair);
    this.rounds.push(`${pair.benchId}:${round}`);
    const runs = pair.configurations.flatMap(({ memory, role }, side) => {
      const { factor, breaks } = this.#saves(memory ?? "");
      return tasks.map(({ id }, index): BenchRun => {
        const noise = 1 + (((round * 7 + index * 3 + side * 5) % 11) - 5) / 100;
        const tokens = Math.round(10_000 * (index + 1) * factor * noise);
        return {
          id: `${round}-${id}-${side}`,
          benchId: pair.benchId,
          side,
          configurationHash: "c",
          role,
          agent: "scout",
          taskId: id,
          taskHash: id,
          suiteHash: "s",
          fixtureHash: "f",
          model: "ship-1",
          round,
          driver: "claude",
          recordedBy: null,
          outcome: breaks && index === 0 ? "failed" : "passed",
          detail: null,
          usage: { input: tokens, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 5 },
          processingTokens: tokens,
          turns: 3,
          toolCalls: 2,
          filesReread: 0,
          sessionId: null,
          startedAt: 1,
          durationMs: 1,
          overheadMs: 1,
          checkMs: 1,
          trajectory: null,
        };
      });
    });
    return { kind: "made", runs };
  }
}

const approved = (id: string, sentence: string) => rule({ id, sentence, status: "approved", decidedAt: 1 });
const never = new AbortController().signal;

test("A rule that saves is admitted with a sealed receipt; a useless one is not; the next is measured beside it", async () => {
  const context = new World(
    [approved("r1", "This one really saves."), { ...approved("r2", "This one does nothing."), decidedAt: 2 }],
    (memory) => ({ factor: memory.includes("really saves") ? 0.6 : 1, breaks: false }),
  );
  const outcome = await selectRules(context.request(), context.ports(), never);
  assert.equal(outcome.end.kind, "done");
  assert.deepEqual(
    context.rules.map(({ status }) => status === "active"),
    [true, false],
  );
  const [first, second] = outcome.settled;
  assert.equal(first?.receipt.verdict.kind, "saves");
  assert.ok(readReceipt(JSON.stringify(first.receipt)).ok);
  assert.deepEqual([first.receipt.driver, first.receipt.recordedBy], ["claude", []]);
  assert.notEqual(second?.receipt.verdict.kind, "saves");
  const beside = context.pairs.at(-1)?.configurations[0].memory;
  assert.match(beside ?? "", /really saves/u);
  assert.equal(context.pairs[0]?.configurations[0].memory, null);
});

test("A rule that breaks a task is evicted, whatever it saves", async () => {
  const context = new World([approved("r1", "This one really saves.")], (memory) => ({
    factor: memory === "" ? 1 : 0.5,
    breaks: memory !== "",
  }));
  await selectRules(context.request(), context.ports(), never);
  assert.equal(context.rules[0]?.status, "evicted");
});

test("Only what is approved or active is ever run", async () => {
  const context = new World([rule({ id: "r1" }), rule({ id: "r2", status: "shelved" })], () => ({
    factor: 1,
    breaks: false,
  }));
  const outcome = await selectRules(context.request({ ruleIds: ["r1", "r2"] }), context.ports(), never);
  assert.deepEqual([outcome.settled, context.rounds], [[], []]);
});

test("No round begins that is expected to pass the cap, and what is left is told", async () => {
  const context = new World([approved("r1", "First of these."), approved("r2", "Second of these.")], () => ({
    factor: 1,
    breaks: false,
  }));
  const outcome = await selectRules(context.request({ tokenCap: 200_000 }), context.ports(), never);
  assert.ok(outcome.tokensSpent <= 200_000, String(outcome.tokensSpent));
  assert.equal(outcome.end.kind, "cap");
});

test("What is cancelled or paused decides nothing, and goes on in the same bench", async () => {
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
    context.ports({ round: () => Promise.resolve({ kind: "paused", detail: "quota" }) }),
    never,
  );
  assert.deepEqual([paused.end, paused.settled.length], [{ kind: "paused", detail: "quota" }, 0]);
});

test("What was measured on other days counts, of candidates and in re-audits", async () => {
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
