import { assert } from "../../support/assert-texts.ts";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { FollowedChats } from "./followed-chats.ts";
import { start, WrittenChat } from "./written-chat.ts";

const id = "7d1f0000-0000-4000-8000-000000000001";

function opened(test: TestContext, more: object = {}) {
  const followed = new FollowedChats(test);
  return { followed, chat: new WrittenChat(followed.chat(id), more) };
}

describe("a chat of VS Code", () => {
  it("has the size of its newest request's last call, in the window of its model", (test) => {
    const { followed, chat } = opened(test);
    chat
      .choose("test/one", 111_000, 17_000)
      .send({ id: "r1" })
      .report("r1", 2007, 20)
      .end("r1", 4000)
      .flush(5000);
    const shown = followed.snapshot(id);
    assert.deepEqual(shown.occupancy, {
      value: 2007,
      provenance: "measured",
      source: "token usage of the last response",
    });
    assert.deepEqual(shown.window, {
      value: 128_000,
      provenance: "official",
      source: "what VS Code's chat stores of the model",
    });
    assert.equal(Math.round(shown.percent ?? 0), 2);
    assert.equal(shown.title, "Find the hour");
    assert.equal(shown.cwd, followed.folder);
    assert.equal(shown.transcript, chat.file);
    assert.equal(shown.model, "test/one");
    assert.equal(shown.turns, 1);
    assert.equal(shown.prompts, 1);
    assert.equal(shown.lastActivity, start + 4000);
    chat.send({ id: "r2", at: 9000 }).report("r2", 4007, 40).flush(10_000);
    assert.equal(followed.snapshot(id).occupancy.value, 4007);
    assert.equal(followed.snapshot(id).turns, 2);
  });

  it("reports when its file was written, and which figures it lacks", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    const { asOf, cost, cacheRead, nextCall, window } = followed.snapshot(id);
    assert.equal(asOf?.at, start + 5000);
    assert.match(asOf.reason.text, /once a minute/u);
    for (const figure of [cost, cacheRead, nextCall, window]) assert.equal(figure.provenance, "unknown");
    assert.match(cost.source.text, /github\.copilot\.chat\.agentDebugLog\.fileLogging\.enabled/u);
    assert.match(cacheRead.source.text, /does not store what was read from the cache/u);
    chat.send({ id: "r2", at: 50_000 }).flush(65_000);
    assert.equal(followed.snapshot(id).asOf?.at, start + 65_000);
  });

  it("computes the last call's answer from the sums of two writings", (test) => {
    const { followed, chat } = opened(test);
    const last = () => followed.reader(id).account.main.last?.usage.output;
    chat.send({ id: "r1" }).report("r1", 1000, 10).flush(5000);
    assert.equal(last(), 10);
    chat.useTool("r1").report("r1", 1500, 30).flush(10_000);
    assert.equal(last(), 20);
    assert.equal(followed.reader(id).account.main.carried(), 1520);
    chat.report("r1", 2200, 60).end("r1", 14_000).flush(15_000);
    assert.equal(last(), 30);
  });

  it("does not take the sum of missed calls for the last one's answer", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).useTool("r1").report("r1", 40_000, 9000).end("r1", 4000).flush(5000);
    assert.equal(followed.reader(id).account.main.carried(), 40_000);
  });

  it("counts nothing twice after its log was replaced by its state, and continues", (test) => {
    const { followed, chat } = opened(test);
    chat.choose("test/one", 111_000, 17_000).send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    const before = followed.snapshot(id);
    chat.replace(5000);
    assert.deepEqual(followed.snapshot(id), before);
    chat.report("r1", 2500, 50).flush(6000);
    assert.equal(followed.snapshot(id).occupancy.value, 2500);
    assert.equal(followed.snapshot(id).turns, 2);
    assert.equal(followed.snapshot(id).prompts, 1);
  });

  it("waits for the rest of a half-written entry", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 2007);
    const line = '{"kind":1,"k":["requests",0,"promptTokens"],"v":3000}\n';
    appendFileSync(chat.file, line.slice(0, 30));
    assert.equal(followed.snapshot(id).occupancy.value, 2007);
    appendFileSync(chat.file, line.slice(30));
    assert.equal(followed.snapshot(id).occupancy.value, 3000);
  });

  it("is compacted where Copilot left a summary, and has the size of the next call", (test) => {
    const { followed, chat } = opened(test);
    const compactions = () =>
      followed.reader(id).account.main.compactions.map(({ compaction }) => compaction);
    chat.send({ id: "r1" }).useTool("r1").report("r1", 9000, 90);
    chat.set(["requests", 0, "result"], {
      metadata: { summaries: [{ toolCallRoundId: "t", text: "So far" }] },
    });
    chat.end("r1", 4000).flush(5000);
    const auto = { trigger: "auto", preTokens: null, postTokens: null, at: start + 4000 };
    assert.deepEqual(compactions(), [auto]);
    assert.equal(followed.snapshot(id).occupancy.value, 9000, "of the last call, after the summary");
    chat.send({ id: "r2", at: 6000, more: { slashCommand: { name: "compact" } } }).report("r2", 30_000, 700);
    chat.set(["requests", 1, "result"], { metadata: { summary: { toolCallRoundId: "u", text: "So far" } } });
    chat.end("r2", 8000).flush(9000);
    assert.deepEqual(compactions(), [auto, { ...auto, trigger: "manual", at: start + 8000 }]);
    assert.equal(followed.snapshot(id).occupancy.value, null, "the summary's own call had the whole context");
    chat.replace(9000);
    chat.send({ id: "r3", at: 10_000 }).report("r3", 4000, 40).flush(11_000);
    assert.equal(followed.snapshot(id).occupancy.value, 4000);
    assert.equal(followed.snapshot(id).compactions, 2);
    // Read all at once, the order is the same.
    const again = new FollowedChats(test);
    const copy = again.chat(id);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(chat.file));
    assert.equal(again.snapshot(id).occupancy.value, 4000);
    assert.equal(again.snapshot(id).compactions, 2);
    const [late, early] = [again, followed].map((each) => each.reader(id).account.main);
    assert.deepEqual([late?.turns, late?.occupancies], [3, [4000]]);
    assert.deepEqual([early?.turns, early?.occupancies], [3, [4000]]);
  });

  it("has as many turns, and grows as fast, when it is opened late", (test) => {
    const { followed, chat } = opened(test);
    for (let turn = 1; turn <= 9; turn += 1)
      chat.send({ id: `r${turn}`, at: 900 * turn }).report(`r${turn}`, 10_000 + 500 * turn, 40);
    chat.end("r9", 9000).flush(9500);
    const { turns, growth, occupancy } = followed.snapshot(id);
    assert.deepEqual([turns, growth.value, occupancy.value], [9, 500, 14_500]);
  });

  it("treats 0 as unknown, and reports a participant without figures", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 0, 0).end("r1", 1000).flush(5000);
    const shown = followed.snapshot(id);
    assert.equal(shown.occupancy.value, null);
    assert.match(shown.occupancy.source.text, /participant does not tell/u);
    assert.equal(shown.percent, null);
    chat.send({ id: "r2", at: 6000 }).report("r2", 900, 9).flush(7000);
    assert.equal(followed.snapshot(id).occupancy.value, 900);
    chat.send({ id: "r3", at: 8000 }).report("r3", 0, 5).end("r3", 9000).flush(9500);
    assert.equal(followed.snapshot(id).occupancy.value, 900, "the newest request with a size");
  });

  it("does not give a request the window of a model that was chosen later", (test) => {
    const { followed, chat } = opened(test);
    chat.choose("test/two", 222_000, 33_000).send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    assert.equal(followed.snapshot(id).window.value, null);
    chat.choose("test/one", 111_000, 17_000).flush(6000);
    assert.equal(followed.snapshot(id).window.value, 128_000);
    chat.send({ id: "r2", model: "test/two", at: 7000 }).report("r2", 3000, 3).flush(8000);
    assert.equal(followed.snapshot(id).window.value, 255_000, "as it was chosen before");
    chat.send({ id: "r3", model: "test/three", at: 9000 }).report("r3", 3000, 3).flush(9500);
    assert.equal(followed.snapshot(id).window.value, null);
  });

  it("uses the same window as VS Code's own indicator", (test) => {
    const { followed, chat } = opened(test);
    chat.choose("test/one", 111_000, 17_000, { maxContextWindowTokens: 120_000 });
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    assert.equal(followed.snapshot(id).window.value, 120_000);
    const more = { modelConfiguration: { contextSize: 50_000 } };
    chat.send({ id: "r2", at: 6000, more }).report("r2", 2007, 20).flush(7000);
    assert.equal(followed.snapshot(id).window.value, 67_000);
  });

  it("knows windows that purser's extension reported, for a model that is not the chosen one", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    const storage = followed.storage("context-purser.context-purser");
    mkdirSync(storage);
    writeFileSync(path.join(storage, "chat.json"), '{"folder":null,"models":{"test/one":111000}}');
    chat.send({ id: "r2", at: 6000 }).flush(7000);
    const { window } = followed.snapshot(id);
    assert.equal(window.value, 111_000);
    assert.match(window.source.text, /list of models/u);
  });

  it("has its folder as soon as purser's extension reports it, though its own file stays unchanged", (test) => {
    const { followed, chat } = opened(test);
    rmSync(followed.storage("workspace.json"));
    chat.send({ id: "r1" }).report("r1", 1000, 10).end("r1", 1).flush(5000);
    assert.equal(followed.snapshot(id).cwd, null);
    const storage = followed.storage("context-purser.context-purser");
    mkdirSync(storage);
    writeFileSync(path.join(storage, "chat.json"), JSON.stringify({ folder: followed.folder, models: {} }));
    assert.equal(followed.snapshot(id).cwd, followed.folder);
    assert.equal(followed.snapshot(id).usage.input, 1000, "and nothing counts twice");
  });

  it("shrinks when requests are taken back", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2000, 20).end("r1", 1000);
    chat.send({ id: "r2", at: 2000 }).report("r2", 9000, 90).end("r2", 3000).flush(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 9000);
    chat.cutTo(1).flush(6000);
    assert.equal(followed.snapshot(id).occupancy.value, 2000);
    chat.send({ id: "r3", at: 7000 }).report("r3", 2500, 25).flush(8000);
    assert.equal(followed.snapshot(id).occupancy.value, 2500);
  });

  it("grows with a call that is recorded again after others were taken back", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2000, 20).end("r1", 1000);
    chat.send({ id: "r2", at: 2000 }).report("r2", 9000, 90).flush(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 9000);
    chat.cutTo(1).flush(6000);
    assert.equal(followed.snapshot(id).occupancy.value, 2000);
    chat.report("r1", 2600, 20).flush(7000);
    assert.equal(followed.snapshot(id).occupancy.value, 2600);
    chat.report("r1", 2700, 20).flush(8000);
    assert.equal(followed.snapshot(id).occupancy.value, 2700);
  });

  it("has its title, its failures, and no prompt of VS Code's own", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1", text: "Which ships\nare in the harbour?" }).end("r1", 1000, 3).flush(5000);
    assert.equal(followed.snapshot(id).title, "Which ships are in the harbour?");
    assert.equal(followed.reader(id).account.main.ended, true);
    chat
      .set(["customTitle"], "Ships")
      .send({ id: "r2", more: { isSystemInitiated: true } })
      .flush(6000);
    assert.equal(followed.snapshot(id).title, "Ships");
    assert.equal(followed.snapshot(id).prompts, 1);
  });

  it("does not exist before its first request, nor after it is deleted", (test) => {
    const { followed, chat } = opened(test);
    chat.choose("test/one", 1, 1).flush(1000);
    assert.deepEqual(followed.find(), []);
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    assert.equal(followed.find().length, 1);
    assert.equal(followed.snapshot(id).turns, 1);
    rmSync(chat.file);
    assert.deepEqual(followed.find(), []);
    const reader = followed.reader(id);
    assert.equal(reader.exists, false);
  });

  it("is read in the format before 1.109, and in one format only", (test) => {
    const { followed, chat } = opened(test);
    const usage = { usage: { promptTokens: 700, completionTokens: 70 } };
    chat
      .send({ id: "r1", more: { result: usage } })
      .end("r1", 1000)
      .writeOld(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 700);
    assert.equal(followed.snapshot(id).asOf?.at, start + 5000);
    chat.send({ id: "r2", at: 6000 }).report("r2", 800, 80).writeOld(7000);
    assert.equal(followed.snapshot(id).occupancy.value, 800);
    chat.flush(8000);
    assert.deepEqual(
      followed.find().map((file) => path.extname(file.path)),
      [".jsonl"],
    );
  });

  it("reads usage from where older builds of Copilot stored it", (test) => {
    const { followed, chat } = opened(test);
    const result = { metadata: { promptTokens: 640, outputTokens: 64 } };
    chat.send({ id: "r1", more: { result } }).end("r1", 1000).flush(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 640);
  });

  it("counts unreadable lines", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    appendFileSync(chat.file, 'not JSON\n{"kind":1,"k":["requests",9,"promptTokens"],"v":1}\n{"kind":9}\n');
    assert.deepEqual(followed.snapshot(id).skippedLines, { malformed: 2, "kind 9": 1 });
    assert.equal(followed.snapshot(id).occupancy.value, 2007);
    chat.flush(6000);
    assert.deepEqual(followed.snapshot(id).skippedLines, { malformed: 2, "kind 9": 1 });
  });

  it("has the same figures wherever its file was cut, overwritten, or read in between", (test) => {
    const { followed, chat } = opened(test);
    chat.choose("test/one", 111_000, 17_000).send({ id: "r1" }).report("r1", 1000, 10).flush(1000);
    chat.useTool("r1").report("r1", 1500, 30).end("r1", 2000).flush(3000);
    chat.send({ id: "r2", at: 4000 }).report("r2", 2500, 25).end("r2", 5000).flush(6000);
    const whole = readFileSync(chat.file);
    const cuts = fc.array(fc.tuple(fc.nat(whole.length), fc.boolean()), { maxLength: 6 });
    let round = 0;
    fc.assert(
      fc.property(cuts, (places) => {
        round += 1;
        const other = `${id}-${round}`;
        const file = followed.chat(other);
        for (const [length, isGarbage] of places) {
          writeFileSync(file, isGarbage ? Buffer.alloc(length, "x\n") : whole.subarray(0, length));
          followed.reader(other);
        }
        rmSync(file, { force: true });
        writeFileSync(file, whole);
        utimesSync(file, (start + 6000) / 1000, (start + 6000) / 1000);
        const shown = followed.snapshot(other);
        assert.equal(shown.occupancy.value, 2500);
        assert.equal(shown.window.value, 128_000);
        assert.equal(shown.prompts, 2);
        rmSync(file);
      }),
      { numRuns: 40 },
    );
  });

  it("is dropped and read again when its file becomes another", (test) => {
    const { followed, chat } = opened(test);
    chat.send({ id: "r1" }).report("r1", 2007, 20).flush(5000);
    assert.equal(followed.snapshot(id).occupancy.value, 2007);
    truncateSync(chat.file);
    assert.equal(
      followed.snapshot(id).occupancy.value,
      2007,
      "the earlier figures still apply while the file is empty",
    );
  });
});
