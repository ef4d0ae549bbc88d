import { assert } from "../../support/assert-texts.ts";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { SessionReader } from "../../../../src/engine/sessions/live/reader.ts";
import { anyRow } from "../support/arbitrary-rows.ts";
import { describeSession } from "../support/describe.ts";
import { addTranscript, claudeAgent } from "../support/live-agent.ts";
import { compaction, lines, prompt, response, sessionId, type Row } from "../support/rows.ts";
import { Scratch } from "../support/scratch.ts";

const main = `p/${sessionId}.jsonl`;
const first = response({ id: "a", minute: 1, input: 50_000 });
const second = response({ id: "b", minute: 2, input: 60_000 });
const aside = response({ id: "s", minute: 3, input: 9000, sidechain: true });

function subagentFile(agentId: string): string {
  return `p/${sessionId}/subagents/agent-${agentId}.jsonl`;
}

/** Reads to the end, which must come soon. */
function readAll(reader: SessionReader): boolean {
  let changed = false;
  for (let turn = 0; turn < 20; turn += 1) {
    const result = reader.read();
    changed ||= result.changed;
    if (!result.more) return changed;
  }
  return assert.fail("there is always more to read");
}

function readerOf(scratch: Scratch, ...agentIds: readonly string[]): SessionReader {
  const reader = new SessionReader(sessionId, claudeAgent);
  addTranscript(reader, scratch.path(main));
  for (const agentId of agentIds) addTranscript(reader, scratch.path(subagentFile(agentId)), agentId);
  return reader;
}

function withMain(test: TestContext, rows: readonly Row[], ...agentIds: readonly string[]) {
  const scratch = new Scratch(test);
  scratch.append(main, rows);
  for (const agentId of agentIds) scratch.append(subagentFile(agentId), [aside]);
  const reader = readerOf(scratch, ...agentIds);
  readAll(reader);
  return { scratch, reader };
}

describe("a session's reader", () => {
  it("reads additions, and reports whether there were any", (test) => {
    const { scratch, reader } = withMain(test, [first]);
    assert.deepEqual(reader.read(), { changed: false, more: false });
    scratch.append(main, [second]);
    assert.deepEqual(reader.read(), { changed: true, more: false });
    assert.equal(reader.account.main.occupancy(), 60_000);
    assert.equal(reader.transcript, scratch.path(main));
  });

  it("waits for the end of a line", (test) => {
    const { scratch, reader } = withMain(test, [first]);
    const text = lines([second]);
    appendFileSync(scratch.path(main), text.slice(0, 40));
    assert.equal(reader.read().changed, false);
    appendFileSync(scratch.path(main), text.slice(40));
    assert.equal(reader.read().changed, true);
  });

  it("unites the session's files, which may come later", (test) => {
    const { scratch, reader } = withMain(test, [first]);
    scratch.append(subagentFile("a1"), [aside]);
    addTranscript(reader, scratch.path(subagentFile("a1")), "a1");
    addTranscript(reader, scratch.path(subagentFile("a1")), "a1");
    readAll(reader);
    assert.deepEqual([...reader.account.subagents.keys()], ["a1"]);
    assert.equal(reader.account.own.usage().input, 59_000);
    assert.ok(reader.has(scratch.path(subagentFile("a1"))));
    const { subagentTranscripts, account, transcript } = reader;
    assert.deepEqual([...subagentTranscripts], [["a1", scratch.path(subagentFile("a1"))]]);
    const { subagents } = describeSession(account, { transcript, subagentTranscripts });
    assert.equal(subagents[0]?.transcript, scratch.path(subagentFile("a1")), "its own, not the session's");
    assert.equal(describeSession(account).subagents[0]?.transcript, null);
  });

  it("uses the first known file as the transcript while there is no main one", (test) => {
    const scratch = new Scratch(test);
    const reader = new SessionReader(sessionId, claudeAgent);
    assert.equal(reader.transcript, "");
    const file = scratch.append(subagentFile("a1"), [aside]);
    addTranscript(reader, file, "a1");
    assert.equal(reader.transcript, file);
    addTranscript(reader, scratch.path(main));
    assert.equal(reader.transcript, scratch.path(main));
  });

  it("learns that a subagent finished from the small file beside its transcript alone", (test) => {
    const { scratch, reader } = withMain(test, [first], "a1");
    const meta = subagentFile("a1").replace(".jsonl", ".meta.json");
    scratch.write(meta, JSON.stringify({ agentType: "explorer", description: "Sound" }));
    assert.equal(reader.read().changed, true);
    assert.equal(reader.read().changed, false);
    scratch.write(meta, JSON.stringify({ agentType: "explorer", description: "Sound", finished: true }));
    assert.equal(reader.read().changed, true);
    assert.deepEqual(reader.account.subagent("a1").facts, {
      type: "explorer",
      description: "Sound",
      finished: true,
    });
    rmSync(scratch.path(meta));
    assert.equal(reader.read().changed, false, "a finished subagent stays finished");
  });

  it("computes the context again when one file starts over, and keeps the usage", (test) => {
    const { scratch, reader } = withMain(test, [first, second], "a1");
    writeFileSync(scratch.path(main), lines([first]));
    assert.equal(readAll(reader), true);
    assert.equal(reader.account.main.occupancy(), 50_000);
    assert.equal(reader.account.main.turns, 2);
    assert.equal(reader.account.own.usage().input, 119_000, "the subagent's part is there once");

    const other = scratch.write("p/new", lines([response({ id: "z", input: 7 }), second, first]));
    renameSync(other, scratch.path(main));
    readAll(reader);
    assert.equal(reader.account.main.turns, 3);
    assert.equal(reader.account.own.usage().input, 119_007);
  });

  it("keeps the turns that a file lost at a compaction", (test) => {
    const third = response({ id: "c", minute: 6, input: 9000, requested: "claude-sonnet-4-6[1m]" });
    const before = [
      prompt(1),
      response({ id: "a", minute: 1, input: 50_000, requested: "claude-sonnet-4-6[1m]" }),
      compaction({ minute: 2, trigger: "manual", pre: 50_000, post: 4000 }),
      prompt(3),
      second,
    ];
    const boundary = compaction({ minute: 5, trigger: "manual", pre: 60_000, post: 4000 });
    const { scratch, reader } = withMain(test, before, "a1");
    scratch.write("p/new", lines([second, boundary]));
    renameSync(scratch.path("p/new"), scratch.path(main));
    readAll(reader);
    const counts = () => {
      const { main: chain, own, subagents } = reader.account;
      const { turns, prompts, compactions } = chain;
      return [turns, prompts, compactions.length, own.usage().input, subagents.get("a1")?.chain.turns];
    };
    assert.deepEqual(counts(), [2, 2, 2, 119_000, 1]);
    assert.equal(reader.account.main.occupancy(), 4000);
    assert.equal(reader.account.main.compactions[0]?.evidence?.largest, 50_000);
    scratch.append(main, [prompt(6), third]);
    readAll(reader);
    assert.deepEqual(counts(), [3, 3, 2, 128_000, 1]);
    assert.equal(reader.account.main.occupancy(), 9000);
    assert.deepEqual(reader.account.main.evidence()?.requested, ["claude-sonnet-4-6[1m]"]);
  });

  it("counts the remaining rows of a file without its older rows as the session's own", (test) => {
    const boundary = compaction({ minute: 5, trigger: "manual", pre: 60_000, post: 4000 });
    const cut = { ...boundary, uuid: "b", parentUuid: null, logicalParentUuid: "gone" };
    const { reader } = withMain(test, [cut, second, response({ id: "c", minute: 6, input: 9000 })]);
    assert.equal(reader.account.own.usage().input, 69_000);
    const fork = { ...boundary, uuid: "b", parentUuid: null };
    const forked = withMain(test, [fork, second, response({ id: "c", minute: 6, input: 9000 })]);
    assert.equal(forked.reader.account.own.usage().input, 9000, "a copy of an older version's fork");
  });

  it("notices other content of the same size, and a file that was missing for a moment", (test) => {
    const { scratch, reader } = withMain(test, [first, second], "a1");
    writeFileSync(scratch.path(main), lines([first, { ...second, message: other(second) }]));
    readAll(reader);
    assert.equal(reader.account.main.occupancy(), 60_001);
    assert.equal(reader.account.main.turns, 3);
    rmSync(scratch.path(main));
    readAll(reader);
    scratch.append(main, [second]);
    readAll(reader);
    assert.equal(reader.account.main.occupancy(), 60_000);
    assert.equal(reader.account.main.turns, 3);
    assert.equal(reader.account.own.usage().input, 179_001);
  });

  it("shows the previous state until all is read again", (test) => {
    const { scratch, reader } = withMain(test, [first, second]);
    writeFileSync(scratch.path(main), lines([first]));
    assert.deepEqual(reader.read(), { changed: false, more: true });
    assert.equal(reader.account.main.occupancy(), 60_000);
    assert.deepEqual(reader.read(), { changed: true, more: false });
    assert.equal(reader.account.main.occupancy(), 50_000);
  });

  it("drops the facts of a missing file once, and notices its return", (test) => {
    const { scratch, reader } = withMain(test, [first], "a1");
    rmSync(scratch.path(subagentFile("a1")));
    assert.equal(readAll(reader), true);
    assert.equal(reader.account.subagents.size, 0);
    assert.equal(reader.account.main.turns, 1);
    assert.deepEqual(reader.read(), { changed: false, more: false });
    assert.ok(reader.exists);

    scratch.append(subagentFile("a1"), [aside]);
    assert.equal(readAll(reader), true);
    assert.equal(reader.account.subagents.size, 1);

    rmSync(scratch.path("p"), { recursive: true });
    readAll(reader);
    assert.equal(reader.exists, false);
    assert.deepEqual(reader.read(), { changed: false, more: false });
  });

  it("does not wait for a file that never existed", (test) => {
    const reader = readerOf(new Scratch(test));
    assert.deepEqual(reader.read(), { changed: false, more: false });
    assert.equal(reader.exists, false);
  });

  it("reports the files it cannot read", (test) => {
    const scratch = new Scratch(test);
    mkdirSync(scratch.path(main), { recursive: true });
    const reader = readerOf(scratch);
    assert.deepEqual(reader.read(), { changed: false, more: false });
    assert.deepEqual(reader.problems, [{ path: scratch.path(main), reason: "refused" }]);
  });
});

describe("reading in any pieces", () => {
  /** Rows by file: the main one and two subagents'. */
  const files = fc.array(fc.tuple(fc.constantFrom("main", "a1", "a2"), anyRow), { maxLength: 30 });
  /** For each append: the file, the number of bytes, and whether to read afterwards. */
  const schedule = fc.array(fc.record({ file: fc.nat(2), bytes: fc.nat(900), read: fc.boolean() }), {
    maxLength: 40,
  });

  it("gives the same as reading at once", (test) => {
    const scratch = new Scratch(test);
    let run = 0;
    fc.assert(
      fc.property(files, schedule, (rows, appends) => {
        run += 1;
        const sources = ["main", "a1", "a2"].map((name) => ({
          agentId: name === "main" ? null : name,
          path: scratch.write(`${run}/${name}`, ""),
          rest: Buffer.from(lines(rows.filter(([file]) => file === name).map(([, row]) => row))),
        }));
        const growing = new SessionReader(sessionId, claudeAgent);
        for (const { path, agentId } of sources.toReversed()) addTranscript(growing, path, agentId);
        for (const { file, bytes, read } of appends) {
          const source = sources[file];
          assert.ok(source !== undefined);
          appendFileSync(source.path, source.rest.subarray(0, bytes));
          source.rest = source.rest.subarray(bytes);
          if (read) readAll(growing);
        }
        for (const { path, rest } of sources) appendFileSync(path, rest);
        readAll(growing);
        const atOnce = new SessionReader(sessionId, claudeAgent);
        for (const { path, agentId } of sources) addTranscript(atOnce, path, agentId);
        readAll(atOnce);
        assert.deepEqual(comparable(growing), comparable(atOnce));
      }),
      { numRuns: 120 },
    );
  });

  it("shows the context of a file that was cut and grew again, and the usage of all its rows", (test) => {
    const scratch = new Scratch(test);
    const some = fc.array(anyRow, { maxLength: 12 });
    fc.assert(
      fc.property(some, fc.array(fc.boolean(), { maxLength: 15 }), some, (before, left, after) => {
        rmSync(scratch.path("p"), { recursive: true, force: true });
        const all = [prompt(), ...before, first, second];
        scratch.append(main, all);
        scratch.append(subagentFile("a1"), [aside]);
        const reader = readerOf(scratch, "a1");
        readAll(reader);
        const whole = readerOf(scratch, "a1");
        readAll(whole);
        writeFileSync(scratch.path(main), "");
        readAll(reader);
        scratch.append(
          main,
          all.filter((_, index) => left[index] ?? false),
        );
        readAll(reader);
        assert.deepEqual(countsIn(reader), countsIn(whole), "repeated rows count once");
        scratch.append(main, after);
        readAll(reader);
        const fresh = readerOf(scratch, "a1");
        readAll(fresh);
        assert.equal(reader.account.main.occupancy(), fresh.account.main.occupancy());
        assert.deepEqual(reader.account.main.occupancies, fresh.account.main.occupancies);
        assert.ok(reader.account.main.turns >= fresh.account.main.turns);
      }),
      { numRuns: 120 },
    );
  });
});

function countsIn({ account: { main: chain, own, all, toolCalls, subagents } }: SessionReader): unknown {
  const { turns, prompts, compactions } = chain;
  const ofSubagents = [...subagents.values()].map((each) => [each.id, each.responses.usage()]);
  return [turns, prompts, compactions, own.usage(), all.usage(), toolCalls.size, ofSubagents];
}

/** The same numbers of digits, of another response. */
function other({ message }: Row): unknown {
  const text = JSON.stringify(message).replace('"id":"b"', '"id":"y"').replace("60000", "60001");
  return JSON.parse(text);
}

/** Rounds dollars to a billionth: beyond that a sum of fractions depends on the order of its parts. */
function comparable({ account }: SessionReader): unknown {
  const text = JSON.stringify(describeSession(account), (key, value: unknown) =>
    key === "value" && typeof value === "number" ? Math.round(value * 1e9) / 1e9 : value,
  );
  return JSON.parse(text);
}
