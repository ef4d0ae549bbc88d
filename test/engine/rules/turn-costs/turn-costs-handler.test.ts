import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import { defaultHookContext, type HookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import { turnCostHandler } from "../../../../src/engine/rules/turn-costs/turn-costs-handler.ts";
import { readTrajectory } from "../../../../src/engine/rules/distil/trajectory.ts";
import { TranscriptLines } from "../support/transcript.ts";
import { Restarts } from "../../guard/support/restarts.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

/** A session with turns that cost the given tokens. */
class Spending {
  isOn = true;
  usual: number | null = 100_000;
  tokens = 0;
  ofSubagents = 0;
  lines = new TranscriptLines();
  readonly looked: string[] = [];
  #now = 1000;
  readonly #kept = new Restarts((memory) => {
    const hooks = timelessPipeline((_, message) => assert.fail(message));
    hooks.register(
      turnCostHandler({
        isOn: () => this.isOn,
        now: () => (this.#now += 1),
        memory,
        spentSince: () => ({ tokens: this.tokens, ofSubagents: this.ofSubagents }),
        usual: (agent) => {
          this.looked.push(agent);
          return this.usual;
        },
        trajectory: () => Promise.resolve(readTrajectory(this.lines.lines, { since: null, until: null })),
      }),
    );
    return hooks;
  });

  restart(): void {
    this.#kept.restart();
  }

  async hook(name: string, more: object = {}, about: HookContext = defaultHookContext): Promise<string> {
    const event = { hook_event_name: name, session_id: "s", transcript_path: "/t/s.jsonl", ...more };
    return (await this.#kept.handlers.answer(hookEvent.parse(event), about.program, about)).text;
  }

  /** A whole turn, from the prompt to its end. */
  async turn(tokens: number, more: object = {}, about: HookContext = defaultHookContext): Promise<string> {
    this.tokens = tokens;
    await this.hook("UserPromptSubmit", more, about);
    return await this.hook("Stop", more, about);
  }
}

test("Only a costly turn's end shows its user where the tokens went", async () => {
  const spending = new Spending();
  assert.equal(await spending.turn(100_000), "");
  spending.ofSubagents = 30_000;
  spending.lines = new TranscriptLines()
    .read("/p/a.ts", 9000)
    .read("/p/a.ts", 9000)
    .called("Grep", { pattern: "x" }, "y".repeat(2000));
  assert.equal(
    await spending.turn(412_300),
    JSON.stringify({
      systemMessage:
        "Context Purser: this turn took 412,300 new tokens; three of four take at most 100,000. Its subagents took 30,000 more. What tools brought into the context: Read 90% (2 calls, 18k characters), Grep 10% (1 call, 2k characters). /p/a.ts was read 2 times without having changed: 9,000 characters again.",
    }),
  );
});

test("It is shown once per turn, also across restarts, and again only for a costlier one", async () => {
  const spending = new Spending();
  assert.match(await spending.turn(200_000), /200,000/u);
  spending.tokens = 300_000;
  assert.equal(await spending.hook("Stop"), "", "a gate had it go on");
  spending.restart();
  assert.equal(await spending.hook("Stop"), "");
  assert.equal(await spending.turn(200_000), "");
  spending.tokens = 250_000;
  await spending.hook("UserPromptSubmit");
  spending.restart();
  assert.match(await spending.hook("Stop"), /250,000/u, "when it began outlives the service");
});

test("Off, without a known start or usual cost, or without a reader, nothing is shown or looked up", async () => {
  const spending = new Spending();
  spending.isOn = false;
  assert.equal(await spending.turn(900_000), "");
  spending.isOn = true;
  assert.equal(await spending.turn(900_000, { agent_id: "a1" }), "");
  assert.equal(await spending.turn(900_000, {}, { ...defaultHookContext, isAttended: false }), "");
  assert.equal(await spending.turn(900_000, {}, { ...defaultHookContext, program: "codex" }), "");
  assert.equal(spending.looked.length, 0);
  assert.equal(await spending.hook("Stop"), "", "nobody heard when it began");
  spending.usual = null;
  assert.equal(await spending.turn(900_000), "");
  spending.usual = 10;
  assert.equal(await spending.turn(19_999), "", "too little for a line");
  assert.match(await spending.turn(900_000, { agent_type: "scout" }), /900,000/u);
  assert.equal(spending.looked.at(-1), "scout");
});

test("For any tools and texts, the line is clean, short and without secrets", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      async (tool, target): Promise<void> => {
        const spending = new Spending();
        const file = `${target} token=hunter2hunter2 \u001b[2J`;
        for (let time = 0; time < 3; time += 1)
          spending.lines.called(tool, { file_path: file }, "z".repeat(5000)).read(file, 5000);
        const text = await spending.turn(500_000);
        assert.ok(text.length < 1500, text);
        assert.doesNotMatch(text, /hunter2|\\u001b|\\u0007/u);
      },
    ),
    { numRuns: 60 },
  );
});
