import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { suiteHash } from "../../../src/engine/bench/suite/suite.ts";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { ClaudeDriver } from "../../../src/engine/bench/drivers/claude/claude.ts";
import { installAgents } from "../../../src/engine/rules/install-agents.ts";
import type { Rule } from "../../../src/engine/rules/rule.ts";
import { selectRules } from "../../../src/engine/rules/select.ts";
import type { RuleView } from "../../../src/engine/rules/answers.ts";
import type { Evidence } from "../../../src/engine/verdict/statistics/pool.ts";
import { benchRounds } from "../../../src/engine/verdict/bench-rounds.ts";
import { makeTinyBench, portsOf, requestOf, type TinyBench } from "../../engine/bench/support/tiny-suite.ts";
import { served } from "../../engine/service/support/rules-service.ts";
import { processingOf, readsWith, readsWithout, rule as saving, wordModel } from "./model.ts";
import { agentsCache, installClaude } from "../install.ts";
import { says, usageOf } from "../stand-in/reply.ts";
import { roleOf } from "../stand-in/role.ts";
import { startStandIn, type StandIn } from "../stand-in/stand-in.ts";

/**
 * Rules with the real Claude Code, against a stand-in of its API: the effect of each rule is known and every request is
 * seen.
 */

const breaking = "Leave the files of the project as they are.";
const installed = await installClaude("2.1.330", agentsCache(process.env, homedir()));
const options = { skip: installed.ok ? false : installed.detail, timeout: 180_000 };
const program = installed.ok ? installed.value : "";
const never = new AbortController().signal;

test(
  "a rule is in no agent's context before it was approved, measured and let in; one that breaks a task is evicted",
  options,
  async (t) => {
    const standIn = await startStandIn({ tag: "rules", lifeMs: 240_000 });
    t.after(() => standIn.close());
    const tiny = await makeTinyBench();
    t.after(() => tiny.remove());
    const { script } = wordModel();
    standIn.setScript((request) => {
      const isBroken = `${request.systemText}\n${request.firstText}`.includes(breaking);
      return isBroken && roleOf(request) === "main"
        ? says("Done.", usageOf(900, 100, 5000, 50))
        : script(request);
    });
    const { client, root } = await served(t);
    const [agent] = tiny.suite.agents;
    assert.ok(agent !== undefined);
    await installAgents([agent], root, { files: nodeFiles, unique: () => "unique" });

    const proposed = await client.ask("rulesPropose", {
      agent: "backend",
      origin: "hand",
      rules: [saving, breaking].map((text) => ({ text, source: null })),
    });
    assert.ok(proposed.ok);
    const [good = "", bad = ""] = proposed.value.proposed.map(({ id }) => id ?? "");
    const work = new UsersWork({ root, standIn });
    t.after(() => work.dispose());
    await client.ask("rulesAct", { id: good, act: { kind: "approve" }, root });
    assert.deepEqual(await work.sees(), { saving: false, breaking: false }, "approved, and a candidate");
    await client.ask("rulesAct", { id: bad, act: { kind: "approve" }, root });

    // Evidence from earlier days, so that few runs remain.
    const evidence = [earlier(good, tiny, { passed: true }), earlier(bad, tiny, { passed: false })];
    const settled = await measure({ tiny, standIn, client, root, evidence });
    assert.deepEqual(
      new Map(settled.map(({ id, status }) => [id, status])),
      new Map([
        [good, "measured"],
        [bad, "evicted"],
      ]),
    );
    assert.deepEqual(await work.sees(), { saving: false, breaking: false }, "it waits for the user");

    await client.ask("rulesAct", { id: good, act: { kind: "approve" }, root });
    assert.deepEqual(await work.sees(), { saving: true, breaking: false }, "let in");
    await client.ask("rulesAct", { id: good, act: { kind: "reject", why: "not any more" }, root });
    assert.deepEqual(await work.sees(), { saving: false, breaking: false }, "taken out");
    assert.deepEqual(standIn.failures, []);
  },
);

interface Measuring {
  readonly tiny: TinyBench;
  readonly standIn: StandIn;
  readonly client: Awaited<ReturnType<typeof served>>["client"];
  readonly root: string;
  readonly evidence: readonly Evidence[];
}

/** Evidence in the form of rounds as the stand-in plays them. */
function earlier(ruleId: string, { suite }: TinyBench, { passed }: { passed: boolean }): Evidence {
  const rounds = Array.from({ length: 11 }, (_, index) => index + 1);
  const samples = rounds.flatMap((round) =>
    suite.tasks.flatMap(({ id: taskId, weight }) => [
      { taskId, weight, round, side: 0 as const, tokens: processingOf(readsWithout), passed: true },
      { taskId, weight, round, side: 1 as const, tokens: processingOf(readsWith), passed },
    ]),
  );
  const about = { suiteHash: suiteHash(suite, "backend"), model: "claude-sonnet-4-6", driver: "claude" };
  return { id: `earlier-${ruleId}`, ruleId, ...about, at: 1, samples };
}

/** Measures all approved rules with the real agent; returns their settled states. */
async function measure({ tiny, standIn, client, root, evidence: before }: Measuring): Promise<Rule[]> {
  const clock = { now: () => Date.now() };
  const env = { ...environment(standIn) };
  const userHome = path.join(tiny.root, "user");
  const ports = portsOf(tiny, new ClaudeDriver({ program, env, userHome, clock, scratch: tiny.scratch }));
  const read = await client.ask("rulesRead", { root });
  assert.ok(read.ok);
  const settled: Rule[] = [];
  const outcome = await selectRules(
    {
      id: "select",
      agent: "backend",
      suite: tiny.suite,
      rules: read.value.view.rules.map(ruleOfView),
      ruleIds: null,
      audits: "all",
      model: "claude-sonnet-4-6",
      driver: "claude",
      seed: 1,
      tokenCap: null,
      tokensPerRun: null,
      evidence: before,
    },
    {
      round: (pair, round, signal) =>
        benchRounds(
          requestOf(tiny, {
            id: pair.benchId,
            configurations: pair.configurations,
            runs: round,
            parallel: 3,
          }),
          ports,
          () => undefined,
        )(round, signal),
      group: { load: () => Promise.resolve(null), save: () => Promise.resolve() },
      rent: ({ rent }) => rent,
      now: clock.now,
      price: () => null,
      onProgress: () => undefined,
      settle: async ({ rule, receipt, evidence }) => {
        const reported = {
          ruleId: rule.id,
          receipt: JSON.stringify(receipt),
          evidence,
          isActivated: false,
          root,
        };
        const done = await client.ask("rulesMeasured", reported);
        assert.ok(done.ok, done.ok ? "" : done.detail);
        settled.push(ruleOfView(done.value.rule));
        return ruleOfView(done.value.rule);
      },
    },
    never,
  );
  assert.equal(outcome.end.kind, "done", JSON.stringify(outcome.end));
  return settled;
}

/** The user's own agent session, with the user's own configuration. */
class UsersWork {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "purser-bench-work-"));
  readonly #root: string;
  readonly #standIn: StandIn;

  constructor({ root, standIn }: { root: string; standIn: StandIn }) {
    this.#root = root;
    this.#standIn = standIn;
    mkdirSync(path.join(this.#folder, "project", "src"), { recursive: true });
  }

  /** Which of the rules reached any of the session's requests. */
  async sees(): Promise<{ saving: boolean; breaking: boolean }> {
    const from = this.#standIn.exchanges.length;
    const cwd = path.join(this.#folder, "project");
    await promisify(execFile)(
      program,
      ["-p", `Write done into src/one.txt of ${cwd}`, "--agent", "backend", "--model", "claude-sonnet-4-6"],
      {
        cwd,
        env: { ...environment(this.#standIn), HOME: this.#folder, CLAUDE_CONFIG_DIR: this.#root },
        timeout: 60_000,
      },
    );
    const seen = this.#standIn.exchanges
      .slice(from)
      .map(({ request }) => JSON.stringify(request))
      .join("\n");
    assert.ok(seen.includes("You write words."), "the agent is the installed one");
    return { saving: seen.includes(saving), breaking: seen.includes(breaking) };
  }

  dispose(): void {
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function environment(standIn: StandIn): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

function ruleOfView({ rent, ...rule }: RuleView): Rule {
  return { ...rule, rent: rent.total };
}
