import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { test } from "node:test";
import { readChunks } from "../../../../src/engine/transcripts/agent-session.ts";
import { countRollouts } from "../../../../src/engine/transcripts/codex.ts";
import { findRollouts, sessionIdOf } from "../../../../src/engine/transcripts/codex/codex-files.ts";
import { RolloutLines, type CodexRecord } from "../../../../src/engine/transcripts/codex/read-rollout.ts";
import { readRollout } from "../../../../src/engine/transcripts/codex/codex-attribution.ts";
import { codexRoots } from "../../../../src/engine/transcripts/home-folder.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import type { TokenUsage } from "../../../../src/engine/usage/token-counts.ts";
import { checkCollected, checkNoTexts, checkRuns, checkTools } from "../check-ledger.ts";
import { withCollected, type Collected } from "../collected.ts";
import { openCodex } from "../../codex.ts";
import { expectCodex, type CodexExpected } from "./expected-rollouts.ts";
import { codexVersion, installCodex, oldestCodex } from "../../codex-install.ts";
import { codexScenarios } from "./rollouts.ts";
import type { CodexExchange } from "../../stand-in/codex.ts";
import { expectCodexRuns, unnamedRole } from "../expected-runs.ts";
import { textsOfCodex } from "../scripted-texts.ts";
import { agentsCache } from "../../install.ts";

const cache = agentsCache(process.env, homedir());
const [newest, oldest] = [await installCodex(cache), await installCodex(cache, oldestCodex)];
/** The oldest version plays one scenario: rollouts of both are written alike. */
const all = [
  ...codexScenarios.map((scenario) => ({ ...scenario, version: codexVersion, installed: newest })),
  ...codexScenarios.slice(0, 1).map((scenario) => ({ ...scenario, version: oldestCodex, installed: oldest })),
];

for (const { name, play, version, installed } of all) {
  const title = `Codex ${version}: ${name}`;
  if (!installed.ok) {
    test(title, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
    continue;
  }
  test(title, { timeout: 60_000 }, async (t) => {
    const agent = await openCodex(installed.value, "c");
    try {
      await play(agent);
      const expected = expectCodex(agent.standIn.exchanges);
      const { files, problems } = findRollouts(codexRoots({ env: { CODEX_HOME: agent.home }, home: "/" }));
      assert.deepEqual(problems, []);
      const paths = files.map(({ path }) => path);

      await t.test("each response is counted once, with exactly the tokens sent", () => {
        const sessions = paths
          .map((path) => readRollout(path))
          .flatMap((read) => (read.ok ? [read.value] : []));
        assert.equal(sessions.length, paths.length);
        for (const { skipped } of sessions) assert.deepEqual(skipped, nothingSkipped);
        assert.deepEqual(bySession(countRollouts(sessions)), sorted(expected));
        assert.ok(sessions.every(({ facts }) => facts.cwd === agent.scratch.workspace));
      });

      await t.test("and so it is from the totals alone, as older versions write them", async () => {
        const sessions = await Promise.all(paths.map(readWithoutRecords));
        const counted = bySession(countRollouts(sessions)).map(({ id, responses }) => ({
          id,
          responses: responses.map(({ responseId, ...tokens }) => {
            assert.equal(responseId, null);
            return tokens;
          }),
        }));
        const unnamed = sorted(expected).map(({ id, responses }) => ({
          id,
          responses: responses.map(({ input, output, cacheCreation5m, cacheRead }) => {
            return { input, output, cacheCreation5m, cacheRead };
          }),
        }));
        assert.deepEqual(counted, unnamed);
      });

      const { env, home } = { env: { CODEX_HOME: agent.home }, home: agent.scratch.home };
      await withCollected({ env, home }, async (collected) => {
        await t.test(
          "the ledger holds exactly the tokens sent, a fork's and a subagent's history once",
          () => {
            checkCollected(collected);
            assert.deepEqual(heldBySession(collected), sentBySession(expected));
          },
        );
        await t.test("every turn is a run, with what it took and how it ended", () =>
          checkRuns(expectCodexRuns(agent), collected),
        );
        await t.test("its tools' shares are all there is, and a subagent's are its own", () => {
          checkTools(callsIn(agent.standIn.exchanges), collected);
          const { subagents } = collected.ledger.ask("overview", everything, basis);
          const main = new Set(agent.turns.map(({ sessionId }) => sessionId));
          const count = (isMain: boolean) =>
            expected.sessions
              .filter(({ id }) => main.has(id) === isMain)
              .reduce((sum, session) => sum + session.responses.length, 0);
          const reported = subagents.map(({ key, responses }) => `${key ?? "main"} ${responses}`);
          const wanted = [
            `main ${count(true)}`,
            ...(count(false) === 0 ? [] : [`${unnamedRole} ${count(false)}`]),
          ];
          assert.deepEqual(reported.toSorted(), wanted);
        });
        await t.test("no text of the conversation or of tools is in the ledger's files", () =>
          checkNoTexts(collected, {
            never: textsOfCodex(agent.standIn.exchanges),
            surely: expected.sessions.map(({ id }) => id),
          }),
        );
      });
    } finally {
      await agent.close();
    }
  });
}

const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
const everything = { since: null, until: null, project: null, program: null };

function callsIn(exchanges: readonly CodexExchange[]): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const { reply } of exchanges)
    if (reply.kind === "response" && reply.item.type === "call")
      calls[reply.item.name] = (calls[reply.item.name] ?? 0) + 1;
  return calls;
}

/** The ledger's responses by session, one line of tokens each. */
function heldBySession({ ledger }: Collected) {
  const sessions = ledger.ask("sessions", {}).map(({ id, program, cwd }) => ({ id, program, cwd }));
  assert.ok(sessions.every(({ program }) => program === "codex"));
  return Object.fromEntries(
    sessions.map(({ id }) => [
      id,
      ledger
        .ask("responses", id)
        .map(({ usage }) => lineOf(usage))
        .sort(),
    ]),
  );
}

function sentBySession({ sessions }: CodexExpected) {
  return Object.fromEntries(sessions.map(({ id, responses }) => [id, responses.map(lineOf).sort()]));
}

function lineOf({ input, output, cacheCreation5m, cacheRead }: Omit<TokenUsage, "cacheCreation1h">): string {
  return [input, output, cacheCreation5m, cacheRead].join(" ");
}

const nothingSkipped = { malformed: 0, oversized: 0, unknown: new Map() };

async function readWithoutRecords(path: string) {
  const lines = (await readFile(path, "utf8")).split("\n");
  const rest = lines.filter((line) => !line.includes('"type":"token_usage_record"')).join("\n");
  return readChunks(new RolloutLines(sessionIdOf(path) ?? ""), [Buffer.from(rest)]);
}

function bySession(records: readonly CodexRecord[]) {
  const ids = [...new Set(records.map(({ sessionId }) => sessionId))].sort();
  return ids.map((id) => ({
    id,
    responses: records
      .filter(({ sessionId }) => sessionId === id)
      .map(({ responseId, usage: { input, output, cacheCreation5m, cacheRead } }) => {
        return { responseId, input, output, cacheCreation5m, cacheRead };
      }),
  }));
}

function sorted({ sessions }: CodexExpected): CodexExpected["sessions"] {
  return sessions.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
