import { assert } from "../../support/assert-texts.ts";
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { inWindows } from "../../../../src/engine/sessions/learn.ts";
import { compactionsOfPast } from "../../../../src/engine/sessions/live/past.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { LogRows } from "../../../../src/engine/transcripts/vscode-chat/copilot-log/copilot-log-rows.ts";
import { totalTokens } from "../../../../src/engine/usage/token-counts.ts";
import { CopilotLog } from "./copilot-log-lines.ts";
import { FollowedChats } from "./followed-chats.ts";
import { start, WrittenChat } from "./written-chat.ts";

const id = "7d1f0000-0000-4000-8000-000000000001";

function logged(test: TestContext, folder = "GitHub.copilot-chat") {
  const followed = new FollowedChats(test);
  const logs = followed.storage(folder, "debug-logs", id);
  return { followed, logs, chat: new WrittenChat(followed.chat(id)), log: new CopilotLog(logs) };
}

/** Writes Copilot's list of models. */
function offer(logs: string): void {
  const limits = { max_prompt_tokens: 111_000, max_output_tokens: 17_000 };
  writeFileSync(
    path.join(logs, "models.json"),
    JSON.stringify([7, { id: "gpt-5", capabilities: { limits } }]),
  );
}

describe("a chat with a log of Copilot", () => {
  it("is read from the log call by call, and counts once", (test) => {
    const { followed, chat, log } = logged(test);
    chat.choose("copilot/gpt-5", 111_000, 17_000).set(["customTitle"], "Ships");
    chat.send({ id: "r1", at: 100, model: "copilot/gpt-5" }).useTool("r1").report("r1", 2500, 70);
    chat.end("r1", 4000).flush(5000);
    log.begin(50).prompt(110, "Find the hour");
    log.call({ span: "a", at: 200, input: 2000, output: 20, cached: 1500 }).tool("t", 1200);
    log.call({ span: "b", at: 2000, input: 2500, output: 50, cached: 2000 }).flush(5000);
    const shown = followed.snapshot(id);
    assert.equal(shown.occupancy.value, 2500);
    assert.equal(shown.window.value, 128_000, "of the chat's own file");
    assert.equal(shown.title, "Ships");
    assert.equal(shown.cwd, followed.folder);
    assert.equal(shown.turns, 2);
    assert.equal(shown.prompts, 1);
    assert.equal(shown.toolCalls, 1);
    assert.deepEqual(shown.usage, {
      input: 1000,
      output: 70,
      cacheCreation5m: 0,
      cacheCreation1h: 0,
      cacheRead: 3500,
    });
    assert.notEqual(shown.cost.value, null);
    assert.equal(shown.asOf, null, "a log is written within seconds");
    assert.equal(shown.lastActivity, start + 2900);
    assert.equal(shown.cacheRead.value, 3500 / 4500);
  });

  it("is found whatever the case of Copilot's folder, and without the chat's own file, as in a remote window", (test) => {
    const { followed, logs, log } = logged(test, "github.copilot-chat");
    offer(logs);
    log
      .begin(50)
      .prompt(110, "Find the hour")
      .call({ span: "a", at: 200, input: 2000, output: 20 })
      .flush(5000);
    const shown = followed.snapshot(id);
    assert.equal(shown.occupancy.value, 2000);
    assert.deepEqual(shown.window, {
      value: 128_000,
      provenance: "official",
      source: "Copilot's list of models",
    });
    assert.equal(shown.title, "Find the hour");
    assert.match(shown.cacheRead.source.text, /does not tell what was read from the cache/u);
    assert.equal(shown.transcript, log.file);
  });

  it("has its subagents separate, and helpers' calls in its sums only", (test) => {
    const { followed, logs, log } = logged(test);
    log.begin(50).prompt(110, "Find the hour").call({ span: "a", at: 200, input: 2000, output: 20 });
    log.call({ span: "s", at: 1500, input: 9000, output: 900, purpose: "progressMessages" });
    log.failure("f", 2000).flush(5000);
    const child = new CopilotLog(logs, "runSubagent-Explore-toolu_01");
    child.begin(300, "runSubagent-Explore").call({ span: "c", at: 400, input: 700, output: 7 }).flush(5000);
    new CopilotLog(logs, "title-9f")
      .begin(300, "title")
      .call({ span: "t", at: 9000, input: 100, output: 5 })
      .flush(5000);
    const shown = followed.snapshot(id);
    assert.equal(shown.occupancy.value, 2000);
    assert.equal(totalTokens(shown.usage), 2020 + 9900 + 707 + 105);
    assert.equal(shown.turns, 1);
    assert.equal(shown.subagents.length, 1);
    assert.equal(shown.subagents[0]?.type, "runSubagent-Explore");
    assert.equal(shown.subagents[0].occupancy.value, 700);
    assert.equal(shown.subagents[0].transcript, child.file);
    assert.equal(shown.lastActivity, start + 2400);
  });

  it("is compacted where Copilot summarizes it, by itself or on a person's request", (test) => {
    const { followed, log } = logged(test);
    const compactions = () =>
      followed.reader(id).account.main.compactions.map(({ compaction, evidence }) => ({
        ...compaction,
        model: evidence?.model,
      }));
    log.begin(50).prompt(110, "Find the hour").call({ span: "a", at: 200, input: 90_000, output: 1000 });
    const summary = { at: 1500, dur: 500, input: 92_000, output: 900 };
    log.failure("f", 1200).call({ ...summary, span: "s", purpose: "summarizeConversationHistory-full" });
    log.call({ span: "v", at: 1600, input: 300, output: 10, purpose: "summarizeVirtualTools" }).flush(5000);
    const auto = { trigger: "auto", preTokens: 91_000, postTokens: null, at: start + 2000, model: "gpt-5" };
    assert.deepEqual(compactions(), [auto]);
    assert.equal(followed.snapshot(id).occupancy.value, null);
    log.call({ span: "b", at: 6000, input: 12_000, output: 20 }).flush(7000);
    assert.equal(followed.snapshot(id).occupancy.value, 12_000);
    log.prompt(8000, "/compact keep the hours");
    log.call({ ...summary, span: "m", at: 8100, purpose: "summarizeConversationHistory" }).flush(9000);
    assert.deepEqual(compactions().slice(1), [
      { ...auto, trigger: "manual", preTokens: 12_020, at: start + 8600 },
    ]);
    assert.equal(followed.snapshot(id).compactions, 2);
  });

  it("reports where it compacted by itself, for later sessions", async (test) => {
    const { followed, logs, log } = logged(test);
    offer(logs);
    log.begin(50).prompt(110, "Find the hour").call({ span: "a", at: 200, input: 90_000, output: 1000 });
    const purpose = "summarizeConversationHistory-full";
    log.call({ span: "s", at: 1500, dur: 500, input: 92_000, output: 900, purpose }).flush(5000);
    const roots = [{ agent: "vscode-chat" as const, path: followed.root }];
    const found = await compactionsOfPast({ roots, now: start + 86_400_000 });
    assert.deepEqual(inWindows(found, builtInCatalogue), [
      { agent: "vscode-chat", model: "gpt-5", window: 128_000, preTokens: 91_000, at: start + 2000 },
    ]);
  });

  it("is read from its own file for the requests before the log began, and after it was turned off", (test) => {
    const { followed, chat, log } = logged(test);
    chat.send({ id: "r1", at: 100 }).report("r1", 1000, 10).end("r1", 2000).flush(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 1000);
    log
      .begin(10_000)
      .prompt(10_100, "Again")
      .call({ span: "a", at: 10_200, input: 2000, output: 20 })
      .flush(12_000);
    chat.send({ id: "r2", at: 10_090 }).report("r2", 2000, 20).end("r2", 11_900).flush(13_000);
    assert.equal(followed.snapshot(id).occupancy.value, 2000);
    assert.equal(followed.snapshot(id).turns, 2);
    assert.match(followed.snapshot(id).cost.source.text, /agentDebugLog/u, "a partial figure is marked");
    chat.send({ id: "r3", at: 20_000 }).report("r3", 3000, 30).end("r3", 21_000).flush(25_000);
    assert.equal(followed.snapshot(id).turns, 2, "the log may still record it");
    chat.set(["customTitle"], "Ships").flush(90_000);
    assert.equal(followed.snapshot(id).occupancy.value, 3000);
    assert.equal(followed.snapshot(id).turns, 3);
  });

  it("is read from its own file before the log has a line, and where the log is not a file", (test) => {
    const { followed, chat, log } = logged(test);
    chat.send({ id: "r1", at: 100 }).report("r1", 2000, 20).end("r1", 4000).flush(5000);
    mkdirSync(log.file);
    assert.equal(followed.snapshot(id).occupancy.value, 2000);
    renameSync(log.file, `${log.file}.old`);
    writeFileSync(log.file, "");
    const at = (start + 600_000) / 1000;
    utimesSync(log.file, at, at);
    chat.send({ id: "r2", at: 400_000 }).report("r2", 3000, 30).end("r2", 404_000).flush(601_000);
    assert.equal(followed.snapshot(id).occupancy.value, 3000);
    log.begin(602_000).call({ span: "a", at: 603_000, input: 4000, output: 40 }).flush(605_000);
    chat.send({ id: "r3", at: 602_500 }).report("r3", 4000, 40).end("r3", 604_000).flush(606_000);
    assert.equal(followed.snapshot(id).occupancy.value, 4000);
    assert.equal(followed.snapshot(id).usage.input, 9000, "each once");
  });

  it("continues when the log is cut to its newest part", (test) => {
    const { followed, chat, log } = logged(test);
    chat.send({ id: "r1", at: 100 }).report("r1", 1000, 10).end("r1", 2000).flush(5000);
    log.begin(50).call({ span: "a", at: 200, input: 1000, output: 10 });
    log.call({ span: "b", at: 3000, input: 2000, output: 20 }).flush(6000);
    assert.equal(followed.snapshot(id).turns, 2);
    const kept = readFileSync(log.file, "utf8").split("\n").slice(2).join("\n");
    writeFileSync(`${log.file}.tmp`, kept);
    renameSync(`${log.file}.tmp`, log.file);
    log.call({ span: "c", at: 7000, input: 2500, output: 25 }).flush(8000);
    const shown = followed.snapshot(id);
    assert.equal(shown.occupancy.value, 2500);
    assert.equal(shown.turns, 3, "the call with a cut row was made too");
  });

  it("counts unreadable lines, and never throws", (test) => {
    const { followed, log } = logged(test);
    log.begin(50).raw("not JSON").raw("").raw('{"type":"llm_request","ts":1,"attrs":{"inputTokens":-1}}');
    log.call({ span: "a", at: 200, input: 0, output: 5 }).raw('{"type":"future","ts":1}').flush(5000);
    assert.deepEqual(followed.snapshot(id).skippedLines, { malformed: 2 });
    assert.equal(followed.snapshot(id).occupancy.value, null);
    const odd = fc.letrec<{ odd: unknown }>((tie) => ({
      odd: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(null, 0, -1, 1e300, "", "llm_request", "user_message", 7),
        fc.array(tie("odd"), { maxLength: 2 }),
        fc.dictionary(
          fc.constantFrom("type", "ts", "dur", "spanId", "attrs", "inputTokens", "label"),
          tie("odd"),
        ),
      ),
    })).odd;
    const type = fc.constantFrom("llm_request", "session_start", "user_message", "tool_call", "new");
    const row = fc.record({ type, ts: odd, dur: odd, spanId: odd, attrs: odd }, { requiredKeys: [] });
    const line = fc.oneof(
      row.map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    const role = fc.constantFrom("chat", "subagent", "helper");
    fc.assert(
      fc.property(fc.array(line), role, (lines, of) => {
        const rows = new LogRows({ sessionId: id, cwd: "/", role: of, windowOf: () => null });
        for (const each of lines) assert.match(rows.read(each).outcome, /known|malformed/u);
      }),
    );
  });
});
