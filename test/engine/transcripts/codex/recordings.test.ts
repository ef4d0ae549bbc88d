import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { countRollouts } from "../../../../src/engine/transcripts/codex.ts";
import { findRollouts } from "../../../../src/engine/transcripts/codex/codex-files.ts";
import { readRollout } from "../../../../src/engine/transcripts/codex/codex-attribution.ts";
import { codexRoots } from "../../../../src/engine/transcripts/home-folder.ts";

const folder = fileURLToPath(new URL("../../../recordings/codex-0.171.0", import.meta.url));
const tokens = z.int().nonnegative();
/** What the stand-in for the model's API really sent, stored beside each recording. */
const facts = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      responses: z.array(
        z.strictObject({
          responseId: z.string(),
          input: tokens,
          output: tokens,
          cacheCreation5m: tokens,
          cacheRead: tokens,
        }),
      ),
    }),
  ),
});

function read(scenario: string) {
  const home = path.join(folder, scenario);
  const { files } = findRollouts(codexRoots({ env: { CODEX_HOME: home }, home: "/" }));
  return files.flatMap((file) => {
    const reading = readRollout(file.path);
    return reading.ok ? [reading.value] : assert.fail(reading.detail.text);
  });
}

describe("rollouts of the real Codex", () => {
  for (const scenario of readdirSync(folder)) {
    it(`have exactly the tokens sent: ${scenario}`, () => {
      const text = readFileSync(path.join(folder, scenario, "expected.json"), "utf8");
      const { sessions } = facts.parse(JSON.parse(text));
      const records = countRollouts(read(scenario));
      for (const { id, responses } of sessions) {
        const own = records.filter(({ sessionId }) => sessionId === id);
        assert.deepEqual(
          own.map(({ responseId, usage: { input, output, cacheCreation5m, cacheRead } }) => {
            return { responseId, input, output, cacheCreation5m, cacheRead };
          }),
          responses,
        );
      }
      const { length } = sessions.flatMap(({ responses }) => responses);
      assert.equal(records.length, length);
    });
  }

  it("have the session, its window and its plan", () => {
    const [session] = read("tool-loop");
    assert.ok(session !== undefined);
    const { cwd, agentVersion, model, window, rateLimits, kind } = session.facts;
    assert.deepEqual(
      [cwd, agentVersion, model, window.value, kind],
      ["/home/dev/harbor", "0.171.0", "gpt-5.1-codex", 258_400, "main"],
    );
    assert.deepEqual(
      rateLimits.map(({ name, usedPercent, windowMinutes }) => [name, usedPercent, windowMinutes]),
      [
        ["codex primary", 12.5, 300],
        ["codex secondary", 40, 10_080],
      ],
    );
    assert.deepEqual(session.skipped, { malformed: 0, oversized: 0, unknown: new Map() });
  });

  it("have forks and subagents with their parents", () => {
    const kinds = (scenario: string) =>
      read(scenario).map((each) => [each.facts.kind, each.facts.parentId !== null]);
    assert.deepEqual(kinds("fork"), [
      ["main", false],
      ["fork", true],
      ["fork", true],
    ]);
    assert.deepEqual(kinds("subagent"), [
      ["main", false],
      ["subagent", true],
    ]);
  });
});
