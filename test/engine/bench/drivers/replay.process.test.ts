import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import fc from "fast-check";
import type { BenchOutcome } from "../../../../src/engine/bench/bench-request.ts";
import { ReplayDriver } from "../../../../src/engine/bench/drivers/replay.ts";
import {
  loadRecordings,
  readRecording,
  type Recording,
} from "../../../../src/engine/bench/state/recording.ts";
import { runBench } from "../../../../src/engine/bench/execute/run-bench.ts";
import { assert } from "../../support/assert-texts.ts";
import { makeTinyBench, portsOf, requestOf, type TinyBench } from "../support/tiny-suite.ts";

let tiny: TinyBench;
beforeEach(async () => {
  tiny = await makeTinyBench();
});
afterEach(() => tiny.remove());

function recordingOf(name: string, more: Partial<Recording> = {}): Recording {
  const task = tiny.suite.tasks.find(({ id }) => id === `backend-${name}`);
  const run = (outcome: number, input: number): Recording["sides"][number]["runs"][number] => ({
    outcome,
    turns: [
      [100, input, 50, 2000, 0, 0, [["Read", "src/one.txt"]]],
      [
        900,
        10,
        60,
        300,
        0,
        2000,
        [
          ["Edit", `src/${name}.txt`],
          ["Read", "src/one.txt"],
        ],
      ],
    ],
  });
  return {
    format: 1,
    agent: "backend",
    task: `backend-${name}`,
    taskHash: task?.hash ?? "",
    by: "script",
    model: "claude-sonnet-4-6",
    outcomes: [[{ path: `src/${name}.txt`, text: "done\n" }], []],
    sides: [
      { label: "plain", when: {}, runs: [run(0, 1000), run(1, 1100)] },
      { label: "with a rule", when: { memoryHas: "Read less" }, runs: [run(0, 500)] },
    ],
    ...more,
  };
}

async function replay(recordings: readonly Recording[], seed = 7, pace = 0) {
  const driver = new ReplayDriver({ recordings: new Map(recordings.map((each) => [each.task, each])), pace });
  const ports = portsOf(tiny, driver);
  const request = requestOf(tiny, { driver: "replay", seed, id: `replay-${seed}`, tokenCap: 10 });
  const answer = await runBench(request, ports, new AbortController().signal, () => undefined);
  if (!answer.ok) throw new Error(answer.detail.text);
  assert.deepEqual(await readdir(tiny.scratch), []);
  return answer.value;
}

const figures = ({ runs }: BenchOutcome) =>
  runs
    .map(
      ({
        taskId,
        side,
        round,
        outcome,
        processingTokens,
        usage,
        turns,
        toolCalls,
        filesReread,
        recordedBy,
      }) =>
        JSON.stringify([
          taskId,
          side,
          round,
          outcome,
          processingTokens,
          usage,
          turns,
          toolCalls,
          filesReread,
          recordedBy,
        ]),
    )
    .sort();

test("a recording is replayed exactly, its check really runs, and its origin is reported", async () => {
  const outcome = await replay([recordingOf("one"), recordingOf("two")]);
  assert.deepEqual(outcome.state, { kind: "done" });
  const reported = outcome.runs
    .map((run) => `${run.taskId} ${run.side} ${run.round} ${run.outcome} ${run.processingTokens}`)
    .sort();
  const expected = ["one", "two"].flatMap((name) => [
    `backend-${name} 0 1 passed ${1000 + 10 + 110 + 2300}`,
    // Its result does not pass the check.
    `backend-${name} 0 2 failed ${1100 + 10 + 110 + 2300}`,
    `backend-${name} 1 1 passed ${500 + 10 + 110 + 2300}`,
    // Restarts with the first recorded run after the last.
    `backend-${name} 1 2 passed ${500 + 10 + 110 + 2300}`,
  ]);
  assert.deepEqual(reported, expected);
  assert.ok(
    outcome.runs.every((run) => run.recordedBy === "script" && run.filesReread === 1 && run.turns === 2),
  );
  const again = await replay([recordingOf("one"), recordingOf("two")], 8);
  assert.deepEqual(figures(again), figures(outcome));
});

test("a recording of a changed or missing task does not count", async () => {
  const outcome = await replay([recordingOf("one", { taskHash: "another" })]);
  assert.equal(outcome.state.kind, "paused");
  assert.ok(outcome.runs.every(({ outcome: how }) => how === "environment"));
});

test("a recording writes nothing outside of the copy", async () => {
  const outcomes = [[{ path: "../../out.txt", text: "x" }], []];
  const outcome = await replay([recordingOf("one", { outcomes }), recordingOf("two", { outcomes })]);
  assert.ok(outcome.runs.every(({ outcome: how }) => how === "environment"));
  assert.match(outcome.runs[0]?.detail?.text ?? "", /outside of the copy/u);
});

test("the cost of recorded runs is known before", () => {
  const driver = new ReplayDriver({ recordings: new Map([["backend-one", recordingOf("one")]]), pace: 0 });
  const expected = driver.expected(requestOf(tiny).configurations.slice(0, 1), ["backend-one"]);
  assert.equal(expected?.perRun, 1050 + 10 + 110 + 2300);
  assert.equal(expected.because, "recorded runs (script)");
  assert.ok(Math.abs(expected.spread - Math.sqrt(5000) / expected.perRun) < 1e-9);
});

test("recordings are files in a folder; one that is damaged is named", async () => {
  const folder = path.join(tiny.root, "recordings", "backend");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "one.json"), JSON.stringify(recordingOf("one")));
  const loaded = await loadRecordings(path.dirname(folder));
  assert.deepEqual(loaded.ok && [...loaded.value.values()], [recordingOf("one")]);
  await writeFile(path.join(folder, "two.json"), "{}");
  const damaged = await loadRecordings(path.dirname(folder));
  assert.ok(!damaged.ok && damaged.detail.text.includes("two.json"));
  assert.deepEqual(await loadRecordings(path.join(tiny.root, "none")), { ok: true, value: new Map() });
});

test("no text makes the reader of recordings throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      readRecording(text);
    }),
  );
});
