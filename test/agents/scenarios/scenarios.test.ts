import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { openAgent } from "../agent.ts";
import type { Agent } from "../agent.ts";
import { checkCollected, checkNoTexts, checkRuns, checkSessions, usageByModel } from "./check-ledger.ts";
import { checkReconciliation, checkStatus } from "./check-status.ts";
import { checkCostState, checkResponses, oneMillionProofs } from "./check-transcripts.ts";
import { checkUsageByModel, checkUsageBySession } from "./check-usage.ts";
import { withCollected } from "./collected.ts";
import { expect } from "./expected.ts";
import { expectRuns } from "./expected-runs.ts";
import { agentsCache, generations, installClaude, newestClaude } from "../install.ts";
import { builtCli, purserStatus, purserUsage } from "./purser.ts";
import { readRawTranscripts } from "./raw-transcripts.ts";
import { fileText, oldScenarios, scenarios } from "./scenarios.ts";
import type { Scenario } from "./scenarios.ts";
import { sessionOf } from "../stand-in/role.ts";
import { textsOf } from "./scripted-texts.ts";
import type { Exchange } from "../stand-in/stand-in.ts";

/** The exchanges and sessions of one played scenario. */
interface Played {
  readonly scenario: Scenario;
  readonly exchanges: readonly Exchange[];
  readonly sessions: ReadonlySet<string>;
}

// All scenarios of a generation share one home, as a user's days do: shared state must not mix them up.
for (const generation of generations) {
  const installed = await installClaude(generation, agentsCache(process.env, homedir()));
  const name = `Claude Code ${generation}`;
  if (!installed.ok) {
    test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
    continue;
  }
  test(name, { timeout: 300_000 }, async (t) => {
    const agent = await openAgent(generation, installed.value, "t");
    try {
      const played: Played[] = [];
      for (const scenario of generation === newestClaude ? scenarios : oldScenarios)
        await t.test(scenario.name, async (t) => {
          const one = await playOf(scenario, agent);
          played.push(one);
          await checkTranscripts(t, agent, one);
        });
      await checkAll(t, agent, played);
    } finally {
      await agent.close();
    }
  });
}

async function playOf(scenario: Scenario, agent: Agent): Promise<Played> {
  const from = agent.standIn.exchanges.length;
  await scenario.play(agent);
  const exchanges = agent.standIn.exchanges.slice(from);
  return { scenario, exchanges, sessions: new Set(exchanges.map(({ request }) => sessionOf(request))) };
}

async function checkTranscripts(t: TestContext, agent: Agent, played: Played): Promise<void> {
  const isNew = agent.generation === newestClaude;
  const { scenario, exchanges, sessions } = played;
  const all = await readRawTranscripts(agent.scratch.config);
  const transcripts = all.filter(({ path }) => [...sessions].some((id) => path.includes(id)));
  assert.ok(transcripts.length >= sessions.size);
  await t.test("the transcripts hold each response that was sent", () =>
    checkResponses(exchanges, transcripts),
  );
  await t.test("cost-state is all that was sent, where it is written", () => {
    if (isNew) checkCostState(exchanges, transcripts);
    else assert.ok(transcripts.every(({ rows }) => rows.every((row) => row.type !== "cost-state")));
  });
  await t.test("the transcript names the [1m] window, where it does", () => {
    const isNamed = isNew && scenario.model.endsWith("[1m]");
    assert.deepEqual(oneMillionProofs(transcripts), isNamed ? ["requestedModel", "beta", "cost-state"] : []);
  });
}

async function checkAll(t: TestContext, agent: Agent, played: readonly Played[]): Promise<void> {
  const { generation, scratch, standIn } = agent;
  const isNew = generation === newestClaude;
  const transcripts = await readRawTranscripts(scratch.config);
  const expected = expect(standIn.exchanges, transcripts);
  await t.test("no transcript is of no scenario", () => checkResponses(standIn.exchanges, transcripts));
  await withCollected(
    { env: { CLAUDE_CONFIG_DIR: scratch.config }, home: scratch.home },
    async (collected) => {
      await t.test("the ledger holds exactly the tokens sent, each once, in its session and subagent", () => {
        checkCollected(collected);
        assert.deepEqual(usageByModel(collected), expected.byModel);
        checkSessions(expected, collected);
      });
      await t.test("the ledger holds a run for each finished turn, and how it ended", () =>
        checkRuns(expectRuns(agent), collected),
      );
      await t.test("no text of the conversation, of tools or files is in the ledger's files", () =>
        checkNoTexts(collected, {
          never: [fileText, ...textsOf(standIn.exchanges)],
          surely: expected.sessions.map(({ id }) => id),
        }),
      );
    },
  );

  await access(builtCli).catch(() =>
    assert.fail("dist/cli.cjs is missing: build with `node esbuild.mjs` first"),
  );
  await t.test("purser usage gives exactly the tokens sent, each once", async () => {
    checkUsageByModel(expected, await purserUsage(builtCli, scratch, "model"));
    const recordsForks = (scenario: string) => isNew || scenario !== "fork";
    checkUsageBySession(expected, await purserUsage(builtCli, scratch, "session"), (id) => {
      const { name } = scenarioOf(played, id);
      return recordsForks(name) ? id : name;
    });
  });
  await t.test("purser status gives the context, the window, the compactions and the subagents", async () => {
    const status = await purserStatus(builtCli, scratch);
    checkStatus(expected, status, (id) => scenarioOf(played, id).windowTokens(generation));
    if (isNew)
      for (const { exchanges } of played) checkReconciliation(expect(exchanges, transcripts), status);
  });
}

/** The scenario a session belongs to. */
function scenarioOf(played: readonly Played[], id: string): Scenario {
  const found = played.find(({ sessions }) => sessions.has(id));
  assert.ok(found !== undefined, `a scenario of session ${id}`);
  return found.scenario;
}
