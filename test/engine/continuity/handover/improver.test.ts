import { plainSentence } from "../../../../src/engine/base/language.ts";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import {
  askForImprovement,
  findOwnClaude,
  planImprovement,
} from "../../../../src/engine/continuity/handover/improver.ts";
import type { AskAgent } from "../../../../src/engine/rules/distil/ask-model.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { assert } from "../../support/assert-texts.ts";
import { noShell } from "../../support/fake-claude.ts";
import { scratchFolder } from "../../support/scratch.ts";

const document = "Handover h00000001: go on.\n\n## Goal\n\n- Mend it\n";
const input = { document, model: "claude-haiku-4-5", models: {} };
const usage = { ...noUsage, input: 10, cacheCreation5m: 1000, output: 90 };
const { signal } = new AbortController();
const { platform } = process;

/** A model that gives one answer and records its questions. */
function answering(answer: Awaited<ReturnType<AskAgent>>) {
  const asked: Parameters<AskAgent>[0][] = [];
  const ask: AskAgent = (question) => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return { ask, asked };
}

it("The price is shown before, and the request limits the answer to the same maximum tokens", async () => {
  const plan = planImprovement(input);
  // $1.25 and $5 a million tokens, written to the cache and put out.
  assert.equal(plan.usd?.toFixed(6), ((plan.input * 1.25 + plan.output * 5) / 1e6).toFixed(6));
  const { ask, asked } = answering(succeed({ text: "Half of it is mended.", usage }));
  const made = await askForImprovement(input, ask, signal);
  assert.ok(made.ok);
  assert.deepEqual(
    asked.map(({ prompt, model, maxAnswerTokens }) => [prompt, model, maxAnswerTokens]),
    [[plan.prompt, "claude-haiku-4-5", plan.output]],
  );
  const { tokens, usd, section } = made.value;
  assert.deepEqual([tokens, usd?.toFixed(6)], [1100, ((10 + 1000 * 1.25 + 90 * 5) / 1e6).toFixed(6)]);
  assert.match(section, /for 1,100 tokens[^]*> Half of it is mended\.$/u);
});

it("An unknown model has no price, and one with the user's own prices uses them", () => {
  assert.equal(planImprovement({ ...input, model: "ship-1" }).usd, null);
  const models = { "ship-1": { cacheWrite5m: 0, output: 2 } };
  const { usd, output } = planImprovement({ ...input, model: "ship-1", models });
  assert.equal(usd, (output * 2) / 1e6);
});

it("A failure or an answer without words is reported, and not asked again", async () => {
  const empty = answering(succeed({ text: " … ", usage: { ...noUsage, output: 7 } }));
  const none = await askForImprovement(input, empty.ask, signal);
  assert.match(
    none.ok ? "" : none.detail.text,
    /answered without a word, for 7 tokens; it is not asked again/u,
  );
  const failing = answering(fail("no_answer", plainSentence("401 Invalid API key")));
  const failed = await askForImprovement(input, failing.ask, signal);
  assert.equal(failed.ok ? "" : failed.detail, "401 Invalid API key");
  assert.deepEqual([empty.asked.length, failing.asked.length], [1, 1]);
});

it(
  "The program is the one of the person's search path, or the one that they name",
  { skip: noShell },
  async (t) => {
    const folder = scratchFolder(t);
    const missing = await findOwnClaude({ env: { PATH: folder }, platform });
    assert.equal(missing.ok ? "" : missing.detail, "Claude Code was not found (no claude in the PATH)");
    for (const name of ["claude", "mine"]) {
      writeFileSync(path.join(folder, name), "#!/bin/sh\n");
      chmodSync(path.join(folder, name), 0o755);
    }
    const [found, named] = [
      await findOwnClaude({ env: { PATH: folder, PURSER_CLAUDE: "" }, platform }),
      await findOwnClaude({ env: { PATH: folder, PURSER_CLAUDE: "mine" }, platform }),
    ];
    assert.deepEqual(
      [found, named].map((each) => each.ok && path.basename(each.value)),
      ["claude", "mine"],
    );
  },
);
