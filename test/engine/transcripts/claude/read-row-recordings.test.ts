import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readRow } from "../../../../src/engine/transcripts/claude/read-row.ts";
import type { RowReading, TranscriptEvent } from "../../../../src/engine/transcripts/agent-session.ts";
import type { TranscriptFile } from "../../../../src/engine/transcripts/claude/claude-files.ts";
import { LineSplitter } from "../../../../src/engine/transcripts/line-splitter.ts";
import { type ApiResponse, ResponseSet } from "../../../../src/engine/usage/api-response.ts";
import { readRecordings, type Sum } from "../../support/recordings.ts";

const recordings = readRecordings();
const nothing: Sum = {
  responses: 0,
  input: 0,
  output: 0,
  cacheCreation5m: 0,
  cacheCreation1h: 0,
  cacheRead: 0,
};

/** Reads a file's bytes from these chunks. */
function readAll(chunks: Iterable<Buffer>, sessionId: string): RowReading[] {
  const readings: RowReading[] = [];
  const splitter = new LineSplitter();
  for (const chunk of chunks)
    splitter.push(
      chunk,
      (line) => readings.push(readRow(line, { sessionId })),
      () => assert.fail("no line is so long"),
    );
  return readings;
}

const readFile = ({ path, sessionId }: TranscriptFile) => readAll([readFileSync(path)], sessionId ?? "");

function eventsOf(readings: readonly RowReading[]): TranscriptEvent[] {
  return readings.flatMap((reading) => (reading.outcome === "known" ? reading.events : []));
}

/** Each response once, summed by model. */
function sumByModel(readings: readonly RowReading[]): Record<string, Sum> {
  const set = new ResponseSet<ApiResponse>();
  for (const event of eventsOf(readings)) if (event.kind === "response") set.add(event.response);
  const sums: Record<string, Sum> = {};
  for (const { model, usage } of set.responses())
    sums[model] = add(sums[model] ?? nothing, { responses: 1, ...usage });
  return sums;
}

function add(a: Sum, b: Sum): Sum {
  return {
    responses: a.responses + b.responses,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheCreation5m: a.cacheCreation5m + b.cacheCreation5m,
    cacheCreation1h: a.cacheCreation1h + b.cacheCreation1h,
    cacheRead: a.cacheRead + b.cacheRead,
  };
}

describe("the transcripts of real CLIs", () => {
  it("exist for both generations", () => {
    assert.deepEqual([...new Set(recordings.map(({ generation }) => generation))].toSorted(), [
      "2.1.197",
      "2.1.332",
    ]);
  });

  for (const { generation, scenario, files, facts } of recordings)
    describe(`${generation} ${scenario}`, () => {
      const readings = files.map((file) => ({ file, rows: readFile(file) }));
      const rows = readings.flatMap((each) => each.rows);

      it("have no row that is malformed or unknown", () => {
        assert.ok(rows.length > 0);
        assert.deepEqual(
          rows.filter(({ outcome }) => outcome !== "known"),
          [],
        );
      });

      it("report the tokens that were really sent, each once", () =>
        assert.deepEqual(sumByModel(rows), facts.byModel));

      it("report the sessions and subagents", () => {
        const ids = facts.sessions.map(({ id }) => id);
        assert.deepEqual([...new Set(files.map(({ sessionId }) => sessionId))].toSorted(), ids.toSorted());
        const agents = facts.sessions.flatMap(({ subagents }) => subagents.map(({ agentId }) => agentId));
        assert.deepEqual(files.flatMap(({ agentId }) => agentId ?? []).toSorted(), agents.toSorted());
      });

      it("report the compactions", () => {
        for (const { id, compactions } of facts.sessions) {
          const main = readings.filter(({ file }) => file.sessionId === id && file.agentId === null);
          const reported = eventsOf(main.flatMap((each) => each.rows)).flatMap((event) => {
            if (event.kind !== "compaction") return [];
            const { trigger, preTokens, postTokens } = event.compaction;
            return [{ trigger, preTokens, postTokens }];
          });
          assert.deepEqual(reported, compactions);
        }
      });

      it("report where the session worked", () => {
        for (const each of readings) assert.ok(eventsOf(each.rows).some(({ kind }) => kind === "place"));
      });

      if (generation === "2.1.332" && scenario !== "api-error")
        it("end in the agent's own total, which has every token, including those in no row", () => {
          const last = readings
            .filter(({ file }) => file.agentId === null)
            .map((each) => eventsOf(each.rows).findLast(({ kind }) => kind === "official-total"));
          const all = [...Object.values(facts.byModel), facts.unwritten].reduce(add);
          const totals = last.map((event) =>
            (event?.kind === "official-total" ? event.models : [])
              .map(({ usage }) => ({ responses: 0, ...usage }))
              .reduce(add, nothing),
          );
          // A fork's total continues from its parent's.
          const largest = totals.toSorted((a, b) => b.output - a.output)[0];
          assert.deepEqual({ ...largest, responses: all.responses }, all);
        });
    });

  it("of a fork mark its copies, in the newer generation", () => {
    const fork = recordings.find((each) => each.scenario === "fork" && each.generation === "2.1.332");
    const copies = fork?.files.map((file) =>
      eventsOf(readFile(file)).filter((event) => event.kind === "response" && event.isCopy),
    );
    assert.deepEqual(copies?.map(({ length }) => length > 0).toSorted(), [false, true]);
  });

  it("name the requested long window, in the newer generation", () => {
    const long = recordings.find((each) => each.scenario === "one-million" && each.generation === "2.1.332");
    const events = long?.files.flatMap((file) => eventsOf(readFile(file))) ?? [];
    const asked = (event: TranscriptEvent) =>
      (event.kind === "model" && event.requestedModel.endsWith("[1m]")) ||
      (event.kind === "official-total" && event.models.some(({ model }) => model.endsWith("[1m]")));
    assert.deepEqual([...new Set(events.filter(asked).map(({ kind }) => kind))], ["model", "official-total"]);
    const hasBeta = (event: TranscriptEvent) =>
      event.kind === "request" && event.betas.some((beta) => beta.startsWith("context-1m"));
    assert.ok(events.some(hasBeta));
  });
});

describe("a real transcript, in any pieces", () => {
  const files = recordings.flatMap((recording) => recording.files);
  const contents = files.map((file) => readFileSync(file.path));
  const anyFile = fc.nat(files.length - 1);
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
  const bytesOf = (index: number) => contents[index] ?? assert.fail();
  const placesIn = (bytes: Buffer, parts: readonly number[]) =>
    parts.map((part) => Math.floor(part * bytes.length)).toSorted((a, b) => a - b);

  it("yields the same in any chunks as at once", () => {
    fc.assert(
      fc.property(anyFile, cuts, (index, parts) => {
        const bytes = bytesOf(index);
        const indexes = [0, ...placesIn(bytes, parts), bytes.length];
        const chunks = indexes.slice(1).map((end, at) => bytes.subarray(indexes[at], end));
        assert.deepEqual(readAll(chunks, "s1"), readAll([bytes], "s1"));
      }),
      { numRuns: 40 },
    );
  });

  it("cut off anywhere yields a part of it, and never more", () => {
    fc.assert(
      fc.property(anyFile, fc.double({ min: 0, max: 1, noNaN: true }), (index, part) => {
        const bytes = bytesOf(index);
        const whole = readAll([bytes], "s1");
        const cut = readAll([bytes.subarray(0, Math.floor(part * bytes.length))], "s1");
        assert.deepEqual(cut, whole.slice(0, cut.length));
      }),
      { numRuns: 40 },
    );
  });

  it("cut off anywhere and written again from there, or from the beginning, counts nothing twice", () => {
    fc.assert(
      fc.property(anyFile, cuts, (index, parts) => {
        const bytes = bytesOf(index);
        const again = placesIn(bytes, parts).map((end) =>
          Buffer.concat([bytes.subarray(0, end), Buffer.from("\n")]),
        );
        const rows = readAll([...again, bytes], "s1");
        assert.deepEqual(sumByModel(rows), sumByModel(readAll([bytes], "s1")));
      }),
      { numRuns: 40 },
    );
  });

  it("with any bytes damaged never throws", () => {
    const spoilt = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(anyFile, spoilt, (index, changes) => {
        const bytes = Buffer.from(bytesOf(index));
        for (const [part, byte] of changes) bytes[Math.floor(part * (bytes.length - 1))] = byte;
        for (const { outcome } of readAll([bytes], "s1"))
          assert.match(outcome, /^(known|unknown|malformed)$/u);
      }),
      { numRuns: 40 },
    );
  });
});
