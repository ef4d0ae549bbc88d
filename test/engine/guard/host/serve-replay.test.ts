import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { it, type TestContext } from "node:test";
import { fail, type Result } from "../../../../src/engine/base/result.ts";
import { composeLedger } from "../../../../src/engine/service/compose-ledger.ts";
import { HistoryPlayer } from "../../../../src/engine/guard/host/history-player.ts";
import { defaults } from "../../../../src/engine/settings/shape.ts";
import { programs } from "../../support/programs.ts";
import { ServiceSandbox } from "../../service/support/box.ts";

const { ledgerPrograms, guardReplayWorker } = programs;
const everything = { since: 0, family: null };
const long = `${"Downloading the same thing again and again\n".repeat(200)}done\n`;

function row(type: string, content: unknown, id = ""): string {
  const message = type === "assistant" ? { id, model: "claude-sonnet-4-5", content } : { content };
  const place = { sessionId: "s-1", cwd: "/home/ann/shop", timestamp: "2026-11-02T09:00:00Z" };
  return `${JSON.stringify({ type, message, ...place })}\n`;
}

function used(id: string, command: string, output: string): string {
  return (
    row("assistant", [{ type: "tool_use", id, name: "Bash", input: { command } }], `m-${id}`) +
    row("user", [{ type: "tool_result", tool_use_id: id, content: output }])
  );
}

function boxOf(t: TestContext): ServiceSandbox {
  const box = new ServiceSandbox(t);
  const end = ["m-c", "m-d"].map((id) => row("assistant", [{ type: "text", text: "Done." }], id)).join("");
  box.transcript("s-1.jsonl", used("a", "rm -rf ~", "no") + used("b", "make fetch", long) + end);
  return box;
}

it("A thread replays a client's history, reports progress, and writes nothing", async (t) => {
  const box = boxOf(t);
  const client = await box.host({
    ledger: composeLedger({ ...box.servicePorts(), programs: ledgerPrograms }),
    guardReplayWorker,
  });
  const far: unknown[] = [];
  client.on("guardPlayed", (told) => far.push(told));
  const before = readdirSync(box.root, { recursive: true });
  const played = await client.ask("guardPlay", everything);
  assert.ok(played.ok, played.ok ? "" : played.detail.text);
  const { replay } = played.value;
  assert.deepEqual(
    replay.rules.map(({ rule, action, count }) => [rule, action, count]),
    [["delete-home", "ask", 1]],
  );
  assert.ok(replay.outputs.total.outputs === 1 && replay.outputs.total.written > 1000);
  assert.deepEqual(far, [{ files: 0, of: 1 }]);
  assert.deepEqual(readdirSync(box.root, { recursive: true }), before);
  const family = await client.ask("guardPlay", { since: 0, family: "secrets" });
  assert.deepEqual(family.ok && family.value.replay.rules, []);
  const cancel = new AbortController();
  const cancelled = client.ask("guardPlay", everything, cancel.signal);
  // The answer tells that the first has begun.
  assert.match(detailOf(await client.ask("guardPlay", everything)), /another replay is running/u);
  cancel.abort();
  assert.equal((await cancelled).ok, false);
  // A cancelled replay is over soon, and another can be had.
  const deadline = Date.now() + 20_000;
  for (;;) {
    const again = await client.ask("guardPlay", everything);
    if (again.ok) break;
    assert.match(again.detail.text, /another replay is running/u);
    assert.ok(Date.now() < deadline, "the cancelled replay never ends");
  }
});

it("A service without the program refuses", async (t) => {
  const client = await boxOf(t).host();
  const refused = await client.ask("guardPlay", everything);
  assert.match(refused.ok ? "" : refused.detail.text, /plays no history/u);
});

function playerOf(t: TestContext, program: string): HistoryPlayer {
  const box = boxOf(t);
  const { env, userHome, temporary, clock, log, home } = box.servicePorts();
  return new HistoryPlayer({
    env,
    userHome,
    temporary,
    clock,
    log,
    home,
    program,
    ledger: { answer: () => Promise.resolve(fail("no_ledger", plainSentence("not here"))) },
    settings: { now: () => defaults },
  });
}

const detailOf = (result: Result<unknown>): string => (result.ok ? "" : result.detail.text);

it("One replay runs at a time, a cancelled one allows the next, and no ledger is needed", async (t) => {
  const player = playerOf(t, guardReplayWorker);
  const cancel = new AbortController();
  const onProgress = () => undefined;
  const first = player.play(everything, { signal: cancel.signal, onProgress });
  const { signal } = new AbortController();
  assert.match(detailOf(await player.play(everything, { signal, onProgress })), /another replay is running/u);
  cancel.abort();
  assert.match(detailOf(await first), /stopped before/u);
  const second = await player.play(everything, { signal, onProgress });
  assert.ok(second.ok, detailOf(second));
  assert.equal(second.value.replay.sessions, 1);
  assert.equal(second.value.replay.leftOut.files, 0);
});

it("A thread that cannot start fails with its reason, and the next replay may start", async (t) => {
  const player = playerOf(t, path.join(import.meta.dirname, "no-such-program.ts"));
  const listener = { signal: new AbortController().signal, onProgress: () => undefined };
  assert.match(detailOf(await player.play(everything, listener)), /no-such-program/u);
  assert.match(detailOf(await player.play(everything, listener)), /no-such-program/u);
});
