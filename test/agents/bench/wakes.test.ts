import assert from "node:assert/strict";
import { homedir } from "node:os";
import { before, describe, it } from "node:test";
import type { HandoverWord } from "../../../src/engine/continuity/handover/launch.ts";
import { startCountingModel, type CountingModel } from "../../bench/economy/counting-model.ts";
import { BenchPlace, type Arm } from "../../bench/economy/place.ts";
import { codexVersion, installCodex } from "../codex-install.ts";
import { installCopilot } from "../copilot-install.ts";
import { installGemini } from "../gemini-install.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import type { ReplyBlock } from "../stand-in/reply.ts";

const cache = agentsCache(process.env, homedir());

/** How each program is asked to run a command, and the most bytes that the first request of a wake may have. */
const tools: Readonly<
  Record<HandoverWord, { readonly run: (command: string) => ReplyBlock; readonly most: number }>
> = {
  claude: {
    run: (command) => ({ type: "tool_use", name: "Bash", input: { command, description: "A step" } }),
    most: 24_500,
  },
  codex: {
    run: (command) => ({ type: "tool_use", name: "exec_command", input: { cmd: command } }),
    most: 31_000,
  },
  copilot: {
    run: (command) => ({ type: "tool_use", name: "bash", input: { command, description: "A step" } }),
    most: 200_000,
  },
  gemini: {
    run: (command) => ({
      type: "tool_use",
      name: "run_shell_command",
      input: { command, description: "A step" },
    }),
    most: 200_000,
  },
};

describe("wakes of the real programs", () => {
  const found: Partial<
    Record<HandoverWord, { readonly binary: string; readonly more: Record<string, string> }>
  > = {};
  before(async () => {
    const [claude, codex] = [await installClaude(newestClaude, cache), await installCodex(cache)];
    const [copilot, gemini] = [await installCopilot(cache), await installGemini(cache)];
    if (claude.ok) found.claude = { binary: claude.value, more: {} };
    if (codex.ok) found.codex = { binary: codex.value, more: {} };
    if (copilot.ok)
      found.copilot = { binary: copilot.value.binary, more: { COPILOT_CACHE_HOME: copilot.value.unpacked } };
    if (gemini.ok) found.gemini = { binary: gemini.value.script, more: {} };
  });

  const arm: Arm = { name: "ours", head: ['schedule: "*/15 * * * *"'] };
  for (const word of ["claude", "codex", "copilot", "gemini"] as const)
    it(`${word} continues its session, reads only what is new, and closes its task by the check`, async (t) => {
      const program = found[word];
      if (program === undefined) throw new Error(`${word} is not installed`);
      const model: CountingModel = await startCountingModel(240_000);
      t.after(() => model.close());
      const { binary, more } = program;
      const place = new BenchPlace({ arm, word, binary, url: model.url, more });
      t.after(() => place.close());
      if (binary.endsWith(".js")) place.setProgram(binary);
      model.play = (_, step) =>
        [
          tools[word].run("purser task comments T1"),
          tools[word].run('purser task comment T1 --text "A step."'),
        ][step] ?? { type: "text", text: "Done." };
      const first = await place.wake();
      const begun = model.take();
      assert.deepEqual([first?.reason, first?.wake?.fetchMode], ["first", "full"]);
      assert.ok(begun.firstBytes <= tools[word].most, `${begun.firstBytes} bytes`);
      place.comment();
      place.finish();
      model.play = (_, step) =>
        step === 0 ? tools[word].run("purser task done T1") : { type: "text", text: "It is done." };
      model.now += 60_000;
      const second = await place.wake();
      const resumed = model.take();
      assert.deepEqual(model.failures, []);
      assert.deepEqual(
        [second?.reason, second?.sessionId, second?.wake?.fetchMode, second?.wake?.stateAfter],
        ["reused", first?.sessionId, "delta", "done"],
      );
      // Only what is new is in the prompt, and nothing before it has changed.
      const body = resumed.bodies[0] ?? "";
      assert.equal(body.split("Woken by ").length - 1, 2, "each wake's prompt is in the conversation once");
      assert.ok(body.includes("Entry 41:"));
      // Gemini CLI begins each start with a list of the folder's files: a new one changes what its provider's cache knows from the first line on.
      if (word !== "gemini")
        assert.ok(
          sharesStart(begun.bodies.at(-1) ?? "", body),
          "what the model has read is sent again as it was",
        );
      assert.ok(
        resumed.usage.cacheRead >
          0.8 * (begun.usage.input + begun.usage.cacheCreation5m + begun.usage.cacheCreation1h) * 0.5,
      );
      if (word === "codex") {
        assert.ok(!body.includes("<skills_instructions>"), "no skill is listed where none is allowed");
        assert.ok(!body.includes("request_user_input"), "nobody would answer");
      }
      if (word === "claude") {
        assert.ok(!body.includes("How tides are handled"), "no skill that is not allowed is listed");
        assert.ok(
          begun.usage.cacheCreation1h > 0,
          "wakes that are 15 minutes apart keep their cache for an hour",
        );
      }
      const {
        input = null,
        cacheCreation5m = 0,
        cacheCreation1h = 0,
        cacheRead = 0,
        output = null,
      } = second?.wake ?? {};
      const { usage } = resumed;
      if (word !== "copilot")
        assert.deepEqual(
          [input, (cacheCreation5m ?? 0) + (cacheCreation1h ?? 0), cacheRead, output],
          [usage.input, usage.cacheCreation5m + usage.cacheCreation1h, usage.cacheRead, usage.output],
          "what purser counted is what was billed",
        );
    });

  it(`Codex ${codexVersion} and Claude Code treat a session without files as missing`, async (t) => {
    for (const word of ["claude", "codex"] as const) {
      const program = found[word];
      if (program === undefined) throw new Error(`${word} is not installed`);
      const model = await startCountingModel(120_000);
      t.after(() => model.close());
      const place = new BenchPlace({ arm, word, binary: program.binary, url: model.url });
      t.after(() => place.close());
      model.play = () => ({ type: "text", text: "Done." });
      await place.wake();
      place.forgetSessions();
      const next = await place.wake();
      assert.deepEqual([next?.reason, next?.wake?.outcome], ["invalid_resume", "completed"]);
    }
  });
});

/** Whether a request begins with the conversation of an earlier one: the provider's cache knows it by that. */
function sharesStart(before: string, after: string): boolean {
  const wordsOf = (body: string) =>
    body.replaceAll(/"cache_control":\{[^}]*\},?/gu, "").replaceAll(/,?\}/gu, "}");
  const [one, other] = [wordsOf(before), wordsOf(after)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same > 0.6 * one.length;
}
