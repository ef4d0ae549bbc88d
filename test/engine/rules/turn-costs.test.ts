import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import path from "node:path";
import { hookEvent } from "../../../src/engine/hooks/event/event.ts";
import { defaultHookContext, type HookContext } from "../../../src/engine/hooks/hooks-handler.ts";
import { turnCostHandler, TurnCosts } from "../../../src/engine/rules/turn-costs.ts";
import { readTrajectory } from "../../../src/engine/rules/distil/trajectory.ts";
import { TranscriptLines } from "./support/transcript.ts";
import { Restarts } from "../guard/support/restarts.ts";
import { timelessPipeline } from "../hooks/support/timeless-pipeline.ts";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { succeed } from "../../../src/engine/base/result.ts";
import { open, appendEntries } from "../ledger/support/support.ts";
import { scratchFolder } from "../support/scratch.ts";
import { hook, placeOf, post } from "../service/support/hooks.ts";
import { served } from "../service/support/rules-service.ts";

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

const start = Date.UTC(2026, 10, 2);

async function place(t: TestContext) {
  const ledger = await open(t, scratchFolder(t));
  const problems: string[] = [];
  const context = { now: start, asked: 0 };
  const costs = new TurnCosts({
    live: { of: () => undefined },
    ledger: {
      ask: (name, params) => {
        context.asked += 1;
        return Promise.resolve(succeed(ledger.ask(name, params)));
      },
    },
    now: () => context.now,
    onProblem: (message) => void problems.push(message),
  });
  return { ledger, costs, problems, context, folder: scratchFolder(t) };
}

test("The usual cost is known a moment after the request, and looked up again after ten minutes", async (t) => {
  const { ledger, costs, context } = await place(t);
  const run = (number: number, agent: string, input: number, program: string) =>
    appendEntries(
      ledger,
      { kind: "session", id: `s-${program}-${number}`, program },
      {
        kind: "run",
        id: `r-${program}-${agent}-${number}`,
        sessionId: `s-${program}-${number}`,
        agent,
        completed: true,
        input,
        output: 0,
        cacheCreation: 0,
        cacheRead: 0,
        startedAt: start,
        endedAt: start + number,
      },
    );
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await run(number, "main", number * 1000, "claude-code");
    await run(number, "main", 900_000, "codex");
  }
  await run(1, "scout", 5, "claude-code");
  assert.equal(costs.usual("main"), null);
  await new Promise(setImmediate);
  assert.deepEqual([costs.usual("main"), costs.usual("scout"), costs.usual("nobody")], [5000, null, null]);
  assert.equal(context.asked, 1);
  context.now = start - 3_600_000;
  costs.usual("main");
  assert.equal(context.asked, 2, "a clock that was set back holds nothing up");
});

test("A session that is not live has no cost", async (t) => {
  const { costs } = await place(t);
  assert.equal(costs.spentSince("s", start), undefined);
});

test("A transcript's end is searched; another kind of file is not opened, and a missing one is reported", async (t) => {
  const { costs, folder, problems } = await place(t);
  const file = path.join(folder, "s.jsonl");
  const { lines } = new TranscriptLines().read("/p/a.ts", 10).read("/p/b.ts", 10);
  // Longer than the part that is read: the read starts in the middle of a character.
  writeFileSync(file, `${"é".repeat(3 * 1024 * 1024)}\n${lines.join("\n")}\n{"type":`);
  const did = await costs.trajectory(file, start + 1500);
  assert.deepEqual(
    did?.actions.map(({ target }) => target),
    ["/p/b.ts"],
  );
  mkdirSync(path.join(folder, "d.jsonl"));
  symlinkSync("/dev/zero", path.join(folder, "zero.jsonl"));
  for (const none of [
    "s.jsonl",
    "/etc/passwd",
    path.join(folder, "zero.jsonl"),
    path.join(folder, "d.jsonl"),
  ])
    assert.equal(await costs.trajectory(none, 0), null, none);
  assert.equal(problems.length, 0);
  assert.equal(await costs.trajectory(path.join(folder, "gone.jsonl"), 0), null);
  assert.match(problems[0] ?? "", /gone\.jsonl: ENOENT/u);
});

test("With the setting, a real service reports at a turn's end; without it, nothing", async (t) => {
  for (const tellCostlyTurns of [true, false]) {
    const { box, ledger } = await served(t, { tellCostlyTurns });
    for (const number of [1, 2, 3, 4, 5, 6])
      await appendEntries(ledger, {
        kind: "run",
        id: `r-${number}`,
        sessionId: `s-${number}`,
        agent: "main",
        completed: true,
        input: 1000,
        output: 0,
        cacheCreation: 0,
        cacheRead: 0,
        startedAt: start,
        endedAt: start + 1,
      });
    const transcript = path.join(box.root, "projects", "-argo", "s-1.jsonl");
    mkdirSync(path.dirname(transcript), { recursive: true });
    const row = (id: string, input: number, at: number) =>
      JSON.stringify({
        type: "assistant",
        requestId: id,
        timestamp: new Date(at).toISOString(),
        cwd: "/argo",
        message: { id, model: "claude-opus-4-5", usage: { input_tokens: input, output_tokens: 10 } },
      });
    writeFileSync(transcript, `${row("m1", 500_000, Date.now() - 60_000)}\n`);
    const where = { session_id: "s-1", transcript_path: transcript };
    const address = placeOf(box.home);
    assert.equal((await post(address, hook("UserPromptSubmit", where))).body, "");
    appendFileSync(transcript, `${row("m2", 70_000, Date.now() + 1)}\n`);
    const { body } = await post(address, hook("Stop", where));
    const reported =
      '{"systemMessage":"Context Purser: this turn took 70,010 new tokens; three of four take at most 1,000."}';
    assert.equal(body, tellCostlyTurns ? reported : "");
  }
});
