import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { TurnCosts } from "../../../../src/engine/rules/turn-costs/calculator.ts";
import { open, appendEntries } from "../../ledger/support/support.ts";
import { TranscriptLines } from "../support/transcript.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";
import { served } from "../../service/support/rules-service.ts";

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
