import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { test } from "node:test";
import { z } from "zod";
import { copilotStore, findEventFiles } from "../../../../src/engine/transcripts/copilot/copilot-files.ts";
import { readEvents } from "../../../../src/engine/transcripts/copilot/usage-reader.ts";
import type { CopilotRecord } from "../../../../src/engine/transcripts/copilot/read-events.ts";
import { readStore } from "../../../../src/engine/transcripts/copilot/read-store.ts";
import { usageReader } from "../../../../src/engine/transcripts/copilot/usage-reader.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { addUsage, noUsage, occupancy, totalTokens } from "../../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../../src/engine/usage/token-counts.ts";
import { isProcessAlive } from "../../../../src/engine/base/process/system-commands.ts";
import type { StatusJson } from "../../../../src/engine/cli/sessions/sessions-outcome.ts";
import { liveReader } from "../../../../src/engine/transcripts/copilot/live-reader.ts";
import { copilotRoles } from "../../stand-in/copilot-role.ts";
import type { Exchange } from "../../stand-in/stand-in.ts";
import { watchStatus } from "../status-watch.ts";
import { openCopilot } from "../../copilot.ts";
import { copilotVersion, installCopilot } from "../../copilot-install.ts";
import { agentsCache } from "../../install.ts";
import { checkCollected, checkNoTexts, checkRuns, checkTools } from "../check-ledger.ts";
import { withCollected } from "../collected.ts";
import { copilotScenarios } from "./sessions.ts";
import { callsOfCopilot, copilotSubagent, expectCopilot, expectCopilotRuns } from "./expected-sessions.ts";
import { builtCli, purserStatus } from "../purser.ts";
import { textsOf } from "../scripted-texts.ts";

const installed = await installCopilot(agentsCache(process.env, homedir()));

for (const { name, window, play } of copilotScenarios) {
  const title = `Copilot CLI ${copilotVersion}: ${name}`;
  if (!installed.ok) {
    test(title, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
    continue;
  }
  test(title, { timeout: 120_000 }, async (t) => {
    const held: { beforeReply: (sessionId: string) => Promise<void> } = {
      beforeReply: () => Promise.resolve(),
    };
    const agent = await openCopilot(installed.value, "p", (sessionId) => held.beforeReply(sessionId));
    const watch = watchStatus(builtCli, { HOME: agent.scratch.home });
    const finder = liveReader.finder([agent.home], isProcessAlive);
    held.beforeReply = async (sessionId) => {
      assert.ok(finder.find(0).running.has(sessionId), "a lock names its live process");
      const sent = outputSent(agent.standIn.exchanges);
      await watch.until((status) => isShown(status, sent), `the replies so far, ${JSON.stringify(sent)}`);
    };
    try {
      // Before each reply, all earlier ones must be shown.
      await play(agent);
      assert.deepEqual([...finder.find(0).running], [], "its process has ended");
      const [expected, ...others] = expectCopilot(agent);
      assert.ok(expected !== undefined && others.length === 0);
      const { home, scratch } = agent;

      await t.test("each response is in its events, with exactly the tokens sent", () => {
        const { files, problems } = findEventFiles(home);
        assert.deepEqual([files.length, problems], [1, []]);
        const read = readEvents(files[0]?.path ?? "");
        assert.ok(read.ok);
        const { facts, records, skipped } = read.value;
        assert.deepEqual(skipped, { malformed: 0, oversized: 0, unknown: new Map() });
        assert.deepEqual([facts.sessionId, facts.cwd], [expected.id, scratch.workspace]);
        assert.equal(facts.window.value, window);
        const single = records.filter(({ responseId }) => responseId !== null);
        assert.deepEqual(single.map(responseOf), expected.responses);
        assert.deepEqual(
          records.filter(({ responseId }) => responseId === null).map(({ usage }) => usage),
          expected.compactions,
        );
      });

      await t.test("its store has the same usage, and both together count once", () => {
        const store = readStore(copilotStore(home));
        assert.ok(store.ok);
        assert.deepEqual(sumOf(store.value.records), expected.sum);
        const { records, problems, malformed } = usageReader.readUsage([home]);
        assert.deepEqual([sumOf(records), problems, malformed], [expected.sum, [], 0]);
      });

      await t.test("`purser status` shows the session with the figures that were sent", async () => {
        const { sessions, problems } = await purserStatus(builtCli, scratch);
        const [shown, ...more] = sessions;
        assert.ok(shown !== undefined);
        assert.deepEqual([more, problems, shown.id], [[], [], expected.id]);
        assert.deepEqual(
          [shown.agent, shown.title, shown.cwd],
          ["copilot", agent.prompts[0], scratch.workspace],
        );
        assert.deepEqual([shown.window.tokens, shown.window.provenance], [window, "official"]);
        assert.equal(shown.compactions, appliedIn(shown.transcript));
        assert.deepEqual(shown.skippedLines, {});
        const { input, output, cacheRead, cacheCreation5m: cacheCreation } = expected.sum;
        assert.deepEqual(shown.usage, { input, output, cacheRead, cacheCreation });
        const main = expected.responses.filter(({ isSubagent }) => !isSubagent);
        const last = { ...noUsage, ...main.at(-1) };
        if (expected.compactions.length === 0) {
          assert.equal(shown.context.tokens, occupancy(last));
          assert.equal(shown.headroom.tokens, window * 0.8 - occupancy(last) - last.output);
        }
        const subagents = expected.responses.filter(({ isSubagent }) => isSubagent);
        assert.deepEqual(
          shown.subagents.map(({ type, tokens, running }) => ({ type, tokens, running })),
          subagents.length === 0
            ? []
            : [
                {
                  type: copilotSubagent,
                  running: false,
                  tokens: subagents.reduce((sum, each) => sum + totalTokens({ ...noUsage, ...each }), 0),
                },
              ],
        );
      });

      await withCollected({ env: {}, home: scratch.home }, async (collected) => {
        await t.test("the ledger holds exactly the tokens sent, from either file", () => {
          checkCollected(collected);
          const { ledger } = collected;
          assert.deepEqual(
            ledger.ask("sessions", {}).map(({ id, program }) => [id, program]),
            [[expected.id, "copilot"]],
          );
          const held = ledger.ask("responses", expected.id).map(({ usage }) => textOf(usage));
          const sent = [...expected.responses, ...expected.compactions].map(textOf);
          assert.deepEqual(held.sort(), sent.sort());
          const { totals, subagents } = ledger.ask("overview", everything, basis);
          const count = (isSubagent: boolean) =>
            expected.responses.filter((each) => each.isSubagent === isSubagent).length;
          assert.deepEqual(subagents.map(({ key, responses }) => `${key ?? "main"} ${responses}`).sort(), [
            ...(count(true) === 0 ? [] : [`${copilotSubagent} ${count(true)}`]),
            `main ${count(false) + expected.compactions.length}`,
          ]);
          assert.equal(totalTokens(totals.usage), totalTokens(expected.sum));
        });
        await t.test("every turn is a run, with what it took and how it ended", () =>
          checkRuns(expectCopilotRuns(agent), collected),
        );
        await t.test("its tools' shares are all there is", () =>
          checkTools(callsOfCopilot(agent), collected),
        );
        await t.test("no text of the conversation or of tools is in the ledger's files", () =>
          checkNoTexts(collected, { never: textsOf(agent.standIn.exchanges), surely: [expected.id] }),
        );
      });
    } finally {
      await watch.close();
      await agent.close();
    }
  });
}

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
const everything = { since: null, until: null, project: null, program: null };

/** Output tokens of the conversation and of its compactions, which are reported when they are done. */
function outputSent(exchanges: readonly Exchange[]): { readonly own: number; readonly all: number } {
  const classify = copilotRoles();
  let [own, all] = [0, 0];
  for (const { request, reply } of exchanges) {
    if (reply.kind === "error") continue;
    all += reply.usage.output;
    if (classify(request) !== "summary") own += reply.usage.output;
  }
  return { own, all };
}

const compactionEnd = z.object({
  type: z.literal("session.compaction_complete"),
  data: z.object({ outcome: z.enum(["applied", "cancelled"]) }),
});

/** Counts the compactions that came into force: one that still goes on when the agent ends is cancelled by it, after its request. */
function appliedIn(file: string): number {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes("session.compaction_complete"))
    .map((line) => compactionEnd.parse(JSON.parse(line)));
  return rows.filter(({ data }) => data.outcome === "applied").length;
}

function isShown({ sessions }: StatusJson, { own, all }: { own: number; all: number }): boolean {
  const shown = sessions.reduce((sum, { usage }) => sum + usage.output, 0);
  return shown === own || shown === all;
}

function responseOf({ responseId, agentId, usage }: CopilotRecord) {
  const { input, output, cacheCreation5m, cacheRead } = usage;
  return { responseId, isSubagent: agentId !== null, input, output, cacheCreation5m, cacheRead };
}

function sumOf(records: readonly { readonly usage: TokenUsage }[]): TokenUsage {
  return records.map(({ usage }) => usage).reduce(addUsage, noUsage);
}

function textOf({ input, output, cacheCreation5m, cacheRead }: Omit<TokenUsage, "cacheCreation1h">): string {
  return [input, output, cacheCreation5m, cacheRead].join(" ");
}
