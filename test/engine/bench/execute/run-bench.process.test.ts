import { plainSentence } from "../../../../src/engine/base/language.ts";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { BenchProgress } from "../../../../src/engine/bench/bench-entries.ts";
import type { BenchOutcome, BenchRequest } from "../../../../src/engine/bench/bench-request.ts";
import { readStoredTrajectory } from "../../../../src/engine/bench/state/stored-trajectory.ts";
import { runBench, runRound } from "../../../../src/engine/bench/execute/run-bench.ts";
import type { Result } from "../../../../src/engine/base/result.ts";
import { assert } from "../../support/assert-texts.ts";
import {
  configuration,
  ends,
  makeTinyBench,
  playing,
  portsOf,
  requestOf,
  solves,
  type Played,
  type TinyBench,
} from "../support/tiny-suite.ts";

let tiny: TinyBench;
const never = new AbortController().signal;

beforeEach(async () => {
  tiny = await makeTinyBench();
});
afterEach(async () => {
  assert.deepEqual(await readdir(tiny.scratch), [], "a scratch folder was left");
  await tiny.remove();
});

function outcomeOf(answer: Result<BenchOutcome>): BenchOutcome {
  if (!answer.ok) throw new Error(answer.detail.text);
  return answer.value;
}

async function bench(play: Played, more: Partial<BenchRequest> = {}, signal = never) {
  const driver = playing(play);
  const ports = portsOf(tiny, driver);
  const progress: BenchProgress[] = [];
  const answer = await runBench(requestOf(tiny, more), ports, signal, (reported) => progress.push(reported));
  return { outcome: outcomeOf(answer), driver, progress, told: ports.recorder.recordedRuns };
}

test("each task runs with each side in each round, and is checked and reported once", async () => {
  const {
    outcome,
    told: reported,
    progress,
  } = await bench((task) => solves(task, task.configuration.memory === null ? 5000 : 4000));
  assert.deepEqual(outcome.state, { kind: "done" });
  assert.equal(outcome.runs.length, 8);
  assert.ok(outcome.runs.every((run) => run.outcome === "passed"));
  assert.deepEqual(
    new Set(outcome.runs.map(({ side, processingTokens }) => `${side} ${processingTokens}`)),
    new Set(["0 5100", "1 4100"]),
  );
  assert.deepEqual(reported.map(({ id }) => id).sort(), outcome.runs.map(({ id }) => id).sort());
  assert.equal(new Set(reported.map(({ id }) => id)).size, 8);
  const kinds = progress.map(({ kind }) => kind).filter((kind) => kind !== "live");
  assert.deepEqual(kinds, ["plan", ...Array.from({ length: 8 }, () => ["started", "ended"]).flat(), "done"]);
  // The sides of a task run next to each other.
  for (let index = 0; index < 8; index += 2) {
    const [one, other] = outcome.runs.slice(index, index + 2);
    assert.deepEqual([one?.taskId, one?.round], [other?.taskId, other?.round]);
  }
});

test("the agent works in a copy with the memory under test, and its changes are stored", async () => {
  const seen: string[] = [];
  const { outcome } = await bench(
    async (task) => {
      const { copy } = task.folders;
      seen.push(await readFile(path.join(copy, ".claude/agents/backend.md"), "utf8"));
      seen.push(await readFile(path.join(copy, ".claude/agent-memory/backend/MEMORY.md"), "utf8"));
      return solves(task);
    },
    { configurations: [configuration("with", "A rule.")], runs: 1, taskIds: ["backend-one"] },
  );
  const [definition, memory] = seen;
  assert.match(definition ?? "", /^memory: project$/mu);
  assert.equal(memory, "A rule.");
  const kept = readStoredTrajectory(await readFile(outcome.runs[0]?.trajectory ?? "", "utf8"));
  assert.deepEqual(kept?.changes, [{ path: "src/one.txt", text: "done\n" }]);
  assert.equal(kept.turns.length, 1);
});

test("unfinished work, a limit, and a failing environment are distinguished", async () => {
  const results = {
    "backend-one:1": ends(5000),
    "backend-one:2": ends(5000, { kind: "limit", detail: plainSentence("tokens: 10") }),
    "backend-two:1": ends(200),
    "backend-two:2": ends(5000, { kind: "environment", detail: plainSentence("quota: 429") }),
  };
  const left = new Map(Object.entries(results));
  const { outcome } = await bench(
    (task) => {
      const key = `${task.task.id}:${task.round}`;
      const result = left.get(key) ?? ends(5000);
      left.delete(key);
      return result;
    },
    { configurations: [configuration()] },
  );
  const outcomes = outcome.runs.map(({ taskId, round, outcome: how }) => `${taskId}:${round} ${how}`).sort();
  assert.deepEqual(outcomes, [
    "backend-one:1 failed",
    "backend-one:2 limit",
    // Repeated, because the first result was not evidence.
    "backend-two:1 environment",
    "backend-two:1 failed",
    "backend-two:2 environment",
    "backend-two:2 failed",
  ]);
  assert.equal(new Set(outcome.runs.map(({ id }) => id)).size, 6);
  assert.deepEqual(outcome.state, { kind: "done" });
});

test("four failures of the environment in a row pause it; it resumes where it stopped", async () => {
  let works = 3;
  const play: Played = (task) => {
    works -= 1;
    return works >= 0 ? solves(task) : ends(0, { kind: "environment", detail: plainSentence("quota: 429") });
  };
  const first = await bench(play);
  assert.deepEqual(first.outcome.state, { kind: "paused", reason: "environment", detail: "quota: 429" });
  assert.equal(first.driver.played.length, 7);
  const second = await bench(solves);
  assert.deepEqual(second.outcome.state, { kind: "done" });
  assert.equal(second.driver.played.length, 5);
  assert.equal(second.outcome.runs.filter(({ outcome }) => outcome === "passed").length, 8);
  const third = await bench(() => assert.fail("nothing is left to run"));
  assert.deepEqual(third.outcome.runs, second.outcome.runs);
});

test("a run with an incomplete line is made again", async () => {
  const { outcome } = await bench(solves);
  const file = path.join(tiny.folder, "tiny", "runs.ndjson");
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, lines.slice(0, 7).join("\n"));
  await appendFile(file, '\n{"id":"tiny:2:ba');
  const again = await bench(solves);
  assert.equal(again.driver.played.length, 1);
  const plain = (runs: BenchOutcome["runs"]) => runs.map(({ id, outcome: how, usage }) => [id, how, usage]);
  assert.deepEqual(plain(again.outcome.runs), plain(outcome.runs));
});

test("another request's bench is not continued", async () => {
  await bench(solves);
  const answer = await runBench(
    requestOf(tiny, { seed: 8 }),
    portsOf(tiny, playing(solves)),
    never,
    () => undefined,
  );
  assert.equal(answer.ok, false);
  assert.equal(answer.reason, "other_request");
});

test("only one process works on a bench", async () => {
  const answers: Result<BenchOutcome>[] = [];
  await bench(async (task) => {
    if (answers.length === 0)
      answers.push(await runBench(requestOf(tiny), portsOf(tiny, playing(solves)), never, () => undefined));
    return solves(task);
  });
  assert.deepEqual(
    answers.map((answer) => !answer.ok && answer.reason),
    ["in_use"],
  );
});

test("when cancelled, it ends at once and the run does not count", async () => {
  const cancel = new AbortController();
  const { outcome } = await bench(
    (task) => {
      if (task.round === 2) {
        cancel.abort();
        return { ...ends(4000), end: { kind: "cancelled" } };
      }
      return solves(task);
    },
    {},
    cancel.signal,
  );
  assert.deepEqual(outcome.state, { kind: "cancelled" });
  assert.deepEqual(
    outcome.runs.map(({ outcome: how }) => how),
    ["passed", "passed", "passed", "passed", "cancelled"],
  );
});

test("the cap holds: no run starts that is expected to pass it, and none continues beyond it", async () => {
  const { outcome, driver } = await bench((task) => solves(task, 9900), { tokenCap: 150_000, runs: 20 });
  assert.deepEqual(outcome.state.kind === "paused" && outcome.state.reason, "token-cap");
  assert.equal(driver.played.length, 15);
  const more = await makeTinyBench();
  try {
    const driver = playing(async (task) => {
      while (!task.signal.aborted) {
        task.onTrajectory(ends(70_000).trajectory);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { ...ends(70_000), end: { kind: "cancelled" } };
    });
    const request = requestOf(more, { tokenCap: 65_000 });
    const answer = outcomeOf(await runBench(request, portsOf(more, driver), never, () => undefined));
    assert.equal(answer.state.kind === "paused" && answer.state.reason, "token-cap");
    assert.deepEqual(
      answer.runs.map(({ outcome: how }) => how),
      ["cancelled"],
    );
  } finally {
    await more.remove();
  }
});

test("a budget that is used up pauses it before the next run", async () => {
  const driver = playing(solves);
  let asked = 0;
  const ports = portsOf(tiny, driver, {
    mayRun: () => {
      asked += 1;
      return Promise.resolve(
        asked <= 2 ? { allowed: true } : { allowed: false, detail: plainSentence("the project's budget") },
      );
    },
  });
  const { state, runs } = outcomeOf(await runBench(requestOf(tiny), ports, never, () => undefined));
  assert.deepEqual(state, { kind: "paused", reason: "budget", detail: "the project's budget" });
  assert.equal(runs.length, 2);
});

test("an agent that writes outside of its copy is found by the file's name, and does not count", async () => {
  const { outcome, driver } = await bench(async (task) => {
    await writeFile(path.join(tiny.suite.fixture?.folder ?? "", "src", "two.txt"), "not yours\n");
    return solves(task);
  });
  assert.equal(driver.played.length, 1);
  assert.deepEqual(
    outcome.runs.map(({ outcome: how }) => how),
    ["environment"],
  );
  assert.match(outcome.runs[0]?.detail ?? "", /outside of its copy: fixture\/src\/two\.txt/u);
  assert.equal(outcome.state.kind, "paused");
});

test("rounds of an experiment share the bench's folder, and one that was made is not made again", async () => {
  const request = requestOf(tiny, { runs: 1 });
  const driver = playing(solves);
  const ports = portsOf(tiny, driver);
  const round = async (number: number) =>
    outcomeOf(await runRound({ request, round: number }, ports, never, () => undefined)).runs;
  const [one, two] = [await round(1), await round(2)];
  assert.deepEqual(
    one.map(({ round: each }) => each),
    [1, 1, 1, 1],
  );
  assert.deepEqual(
    two.map(({ round: each }) => each),
    [2, 2, 2, 2],
  );
  assert.deepEqual(await round(1), one);
  assert.equal(driver.played.length, 8);
});

test("runs of one configuration that differ by more than a quarter are flagged", async () => {
  const { outcome } = await bench(
    (task) => solves(task, task.round === 1 || task.task.id === "backend-two" ? 5000 : 7000),
    {
      configurations: [configuration()],
    },
  );
  assert.deepEqual(outcome.unsteady, [{ side: 0, taskId: "backend-one", minimum: 5100, maximum: 7100 }]);
});

test("several runs at a time end up in the order of the schedule", async () => {
  const { outcome } = await bench(solves, { parallel: 4 });
  const rounds = outcome.runs.map(({ round }) => round);
  assert.deepEqual(
    rounds,
    rounds.toSorted((one, other) => one - other),
  );
  assert.equal(outcome.runs.length, 8);
});
