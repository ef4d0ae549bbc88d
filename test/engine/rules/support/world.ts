import assert from "node:assert/strict";
import { scheduleRound, type Cell } from "../../../../src/engine/bench/execute/schedule.ts";
import type { BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import type { Suite } from "../../../../src/engine/bench/suite/suite.ts";
import { applyAction } from "../../../../src/engine/rules/action.ts";
import type { Rule } from "../../../../src/engine/rules/rule.ts";
import type { RuleBench, SelectPorts, SelectRequest } from "../../../../src/engine/rules/rules-selection.ts";
import type { RuleGroup } from "../../../../src/engine/rules/together/group.ts";
import type { RoundRuns } from "../../../../src/engine/verdict/measure-pair.ts";
import { rule } from "./support.ts";

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
  fixture: null,
  path: `/${id}.md`,
  hash: id,
}));
export const suite: Suite = {
  origin: "built-in",
  folder: "/suite",
  agents: [],
  tasks,
  fixture: { folder: "/fixture", hash: "f", files: 1, manifest: new Map(), installScripts: false },
};

const taskIds = tasks.map(({ id }) => id);

/** Makes the scheduled runs in a world in which a memory saves a share of each run, or breaks a task. */
export class World {
  readonly benches: RuleBench[] = [];
  readonly rounds: string[] = [];
  rules: Rule[];
  /** Orders the runs, as the request's own does. */
  seed = 1;
  group: RuleGroup | null = null;
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
      group: {
        load: () => Promise.resolve(this.group),
        save: (group) => {
          this.group = group;
          return Promise.resolve();
        },
      },
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
        assert.ok(done.ok, done.ok ? "" : done.detail.text);
        this.rules = this.rules.map((each) => (each.id === settled.id ? done.value.rule : each));
        return Promise.resolve(done.value.rule);
      },
      ...over,
    };
  }

  #round(bench: RuleBench, round: number): RoundRuns {
    this.benches.push(bench);
    this.rounds.push(`${bench.benchId}:${round}`);
    const cells = scheduleRound({ suite, taskIds, seed: this.seed, ...bench }, round, null);
    return { kind: "made", runs: this.runsOf(bench, cells) };
  }

  /** The runs of these cells, by whatever machine. */
  runsOf(bench: RuleBench, cells: readonly Cell[]): BenchRun[] {
    return cells.map(({ taskId, side, round }): BenchRun => {
      const index = taskIds.indexOf(taskId);
      const { memory = null, role = "candidate" } = bench.configurations[side] ?? {};
      const { factor, breaks } = this.#saves(memory ?? "");
      const noise = 1 + (((round * 7 + index * 3 + side * 5) % 11) - 5) / 100;
      const tokens = Math.round(10_000 * (index + 1) * factor * noise);
      return {
        id: `${round}-${taskId}-${side}`,
        benchId: bench.benchId,
        side,
        configurationHash: "c",
        role,
        agent: "scout",
        taskId,
        taskHash: taskId,
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
  }
}

export const approved = (id: string, sentence: string) =>
  rule({ id, sentence, status: "approved", decidedAt: 1 });
