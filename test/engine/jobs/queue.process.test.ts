import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import { jobStore } from "../../../src/engine/jobs/jobs-store.ts";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { JobQueue } from "../../../src/engine/jobs/queue.ts";
import { jobView, type JobSummary } from "../../../src/engine/jobs/bench-answers.ts";
import type {
  WorkEnd,
  WorkFailure,
  JobEvent,
  WorkOrder,
  JobExecutor,
} from "../../../src/engine/jobs/executor.ts";
import { ask, began, makeRun, outline, plan } from "./support/samples.ts";

interface Work {
  readonly order: WorkOrder;
  readonly hear: (event: JobEvent) => void;
  readonly signal: AbortSignal;
  readonly end: (ended: Result<WorkEnd, WorkFailure>) => void;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "purser-job-queue-"));
  folders.push(folder);
  return folder;
}

/** A job queue with the test as its job runner. */
function begin(folder = scratch()) {
  const works: Work[] = [];
  const problems: string[] = [];
  const reported: (readonly JobSummary[])[] = [];
  let closed = 0;
  let time = began;
  let names = 0;
  const runner: JobExecutor = {
    choices: () => Promise.resolve(fail("failed", plainSentence("not asked here"))),
    plan: () => Promise.resolve(succeed(plan)),
    planWake: () => Promise.resolve(fail("failed", plainSentence("not asked here"))),
    run: (order, hear, signal) =>
      new Promise((end) => {
        works.push({ order, hear, signal, end });
        signal.addEventListener("abort", () => end(succeed({ kind: "cancelled" })));
      }),
    close: () => {
      closed += 1;
      return Promise.resolve();
    },
  };
  const write = (_: string, message: string) => void problems.push(message);
  const queue = new JobQueue({
    store: jobStore(folder, (message) => problems.push(message.text)),
    runner,
    log: { write },
    clock: { now: () => (time += 1000) },
    memories: () => Promise.resolve(succeed(memories)),
    baselines: () => Promise.resolve([]),
    newId: () => `bench-${++names}`,
  });
  queue.jobs.onChange(({ jobs }) => reported.push(jobs));
  const states = async () => (await queue.jobs.list()).jobs.map(({ id, state }) => `${id} ${state.kind}`);
  return { queue, works, problems, reported, states, folder, closed: () => closed };
}

const memories = { backend: { label: plainSentence("2 rules"), text: "- Read a file once." } };
const env = { ANTHROPIC_API_KEY: "secret" };
const settle = () => wait(0);

test("one job runs at a time, the next when it ended", async () => {
  const { queue, works, states } = begin();
  assert.equal(queue.isBusy, false);
  queue.start({ ask, env, project: null });
  queue.start({ ask, env, project: null });
  queue.start({ ask, env, project: null });
  await settle();
  assert.deepEqual(await states(), ["bench-3 queued", "bench-2 queued", "bench-1 running"]);
  assert.deepEqual(
    (await queue.jobs.list()).jobs.map(({ state }) => (state.kind === "queued" ? state.ahead : 0)),
    [2, 1, 0],
  );
  assert.equal(works.length, 1);
  assert.deepEqual(works[0]?.order, { id: "bench-1", ask, env, memories, project: null });
  works[0].end(succeed({ kind: "done" }));
  await settle();
  assert.deepEqual(await states(), ["bench-3 queued", "bench-2 running", "bench-1 done"]);
  assert.equal(queue.isBusy, true);
  await queue.stop();
});

test("the known facts about a job grow while it runs, and are reported", async () => {
  const { queue, works, reported } = begin();
  queue.start({ ask, env: {}, project: null });
  await settle();
  const [work] = works;
  work?.hear({ kind: "outline", outline });
  assert.deepEqual(
    [...queue.jobs.taskWeights()],
    [
      ["hash of backend-01", 1],
      ["hash of backend-02", 3],
    ],
  );
  work?.hear({ kind: "plan", plan });
  const live = {
    id: "bench-1.0.backend-01.1",
    side: 0,
    agent: "backend",
    taskId: "backend-01",
    round: 1,
    turns: 2,
    toolCalls: 3,
    tool: "Read src/app.ts",
    usage: makeRun().usage,
    processingTokens: 9000,
    startedAt: began,
    elapsedMs: 4000,
  };
  work?.hear({ kind: "preparing", fetched: 62, packages: 189 });
  const waiting = jobView.parse((await queue.jobs.read("bench-1")).view);
  assert.deepEqual(waiting.preparing, { fetched: 62, packages: 189 });
  const place = { id: live.id, side: 0, agent: "backend", taskId: "backend-01", round: 1 };
  work?.hear({ kind: "started", run: place, at: began });
  work?.hear({ kind: "live", run: live });
  const half = jobView.parse((await queue.jobs.read("bench-1")).view);
  assert.deepEqual([half.of, half.done, half.live, half.plan], [4, 0, [live], plan]);
  assert.equal(half.preparing, undefined);
  const run = makeRun({ id: live.id, benchId: "bench-1" });
  work?.hear({ kind: "ended", run, done: 1, of: 4 });
  const more = jobView.parse((await queue.jobs.read("bench-1")).view);
  assert.deepEqual([more.done, more.live, more.runs], [1, [], [run]]);
  assert.deepEqual([more.recordedBy, more.figures[0]?.tokens], [["script"], 40_000]);
  await wait(600);
  assert.equal(reported.at(-1)?.[0]?.done, 1);
  assert.ok(reported.length <= 3, `${reported.length} times in 600 ms`);
  await queue.stop();
});

test("cancelling ends its runs, and a waiting one never starts; both can be resumed", async () => {
  const { queue, works, states } = begin();
  queue.start({ ask, env, project: null });
  queue.start({ ask, env, project: null });
  await settle();
  await queue.cancel("bench-2");
  await queue.cancel("bench-1");
  assert.equal(works[0]?.signal.aborted, true);
  assert.deepEqual(await states(), ["bench-2 cancelled", "bench-1 cancelled"]);
  assert.ok(queue.resume("bench-2", env).ok);
  await settle();
  assert.equal(works[1]?.order.id, "bench-2");
  assert.equal(queue.resume("bench-2", env).ok, false, "it is under way");
  assert.equal(queue.resume("none", env).ok, false);
  assert.equal((await queue.cancel("none")).ok, false);
  await queue.stop();
});

test("a bench that pauses, fails, or has a dead process reports it, and the next starts", async () => {
  const { queue, works, states } = begin();
  for (let times = 0; times < 4; times += 1) queue.start({ ask, env, project: null });
  await settle();
  works[0]?.end(succeed({ kind: "paused", reason: "environment", detail: plainSentence("quota") }));
  await settle();
  works[1]?.end(fail("gone", plainSentence("its process ended with 9")));
  await settle();
  works[2]?.end(fail("failed", plainSentence("the fixture was changed: src/app.ts")));
  await settle();
  assert.deepEqual((await states()).slice(1), ["bench-3 failed", "bench-2 interrupted", "bench-1 paused"]);
  await queue.stop();
});

test("after the service ends, the next one can resume the work; its keys are not stored", async () => {
  const first = begin();
  first.queue.start({ ask, env, project: null });
  first.queue.start({ ask, env, project: null });
  await settle();
  first.works[0]?.hear({ kind: "outline", outline });
  first.works[0]?.hear({ kind: "ended", run: makeRun({ benchId: "bench-1" }), done: 1, of: 4 });
  await first.queue.stop();
  assert.deepEqual(await first.states(), ["bench-2 interrupted", "bench-1 interrupted"]);
  assert.equal(first.closed(), 1);
  const next = begin(first.folder);
  assert.deepEqual(await next.states(), ["bench-2 interrupted", "bench-1 interrupted"]);
  assert.equal((await next.queue.jobs.read("bench-1")).view?.done, 1);
  assert.ok(next.queue.resume("bench-1", env).ok);
  await settle();
  next.works[0]?.hear({ kind: "resumed", runs: [makeRun({ benchId: "bench-1" })] });
  const cancelled = makeRun({ benchId: "bench-1", round: 2, outcome: "cancelled" });
  next.works[0]?.hear({ kind: "ended", run: cancelled, done: 1, of: 4 });
  assert.equal((await next.queue.jobs.read("bench-1")).view?.done, 1, "no run counts twice");
  await next.queue.stop();
});

test("a service that was killed left a job that ran: it is shown as interrupted", async () => {
  const first = begin();
  first.queue.start({ ask, env, project: null });
  await settle();
  const next = begin(first.folder);
  const state = (await next.queue.jobs.list()).jobs[0]?.state;
  assert.equal(state?.kind, "interrupted");
  await first.queue.stop();
});

test("history has the benches of the same agent, model, tasks and driver alone; only the agent as it is makes run1", async () => {
  const { queue, works } = begin();
  const measured = async (
    index: number,
    tokens: number,
    { model = "sonnet", ...of }: Partial<Pick<BenchRun, "model" | "role" | "driver">> = {},
  ) => {
    const { driver = "claude" } = of;
    queue.start({ ask: { ...ask, driver }, env, project: null });
    await settle();
    const benchId = `bench-${index + 1}`;
    const sides = outline.sides.map((side) => ({ ...side, model }));
    works[index]?.hear({ kind: "outline", outline: { ...outline, sides } });
    const reported = { benchId, model, driver, processingTokens: tokens, startedAt: began + index };
    const run = makeRun({ ...reported, ...of });
    works[index]?.hear({ kind: "ended", run, done: 1, of: 4 });
    works[index]?.end(succeed({ kind: "done" }));
    await settle();
  };
  await measured(0, 60_000, { role: "audit" });
  await measured(1, 50_000);
  await measured(2, 90_000, { model: "haiku" });
  await measured(3, 40_000);
  await measured(4, 10_000, { role: "candidate" });
  await measured(5, 20_000, { driver: "replay" });
  const { view } = await queue.jobs.read("bench-4");
  assert.deepEqual(
    view?.history.map(({ benchId, figures }) => [benchId, figures.tokens, figures.run1?.share]),
    [
      ["bench-1", 60_000, 1.2],
      ["bench-2", 50_000, 1],
      ["bench-4", 40_000, 0.8],
      ["bench-5", 10_000, 0.2],
    ],
  );
  assert.equal(view.figures[0]?.best?.share, 1);
  const replayed = await queue.jobs.read("bench-6");
  assert.deepEqual(
    [replayed.view?.figures[0]?.tokens, replayed.view?.figures[0]?.run1],
    [20_000, null],
    "a replay is held against nothing",
  );
  await queue.stop();
});

test("a run's page has what is stored, and nothing from outside the benches' folder", async () => {
  const { queue, works, folder } = begin();
  queue.start({ ask, env, project: null });
  await settle();
  const usage = makeRun().usage;
  const calls = [{ tool: "Read", target: "src/app.ts", isError: false }];
  const turn = (at: number | null) => ({ at, usage, calls, text: null, isSidechain: false });
  const kept = {
    format: 1,
    driver: "replay",
    by: "script",
    sessionId: null,
    turns: [turn(0), turn(5000), turn(null)],
    changes: [
      { path: "src/app.ts", text: null },
      { path: "src/new.ts", text: "export {};\n" },
      { path: "../secret.txt", text: "mine\n" },
    ],
    checkOutput: "1 test passed",
  };
  mkdirSync(path.join(folder, "bench-1", "runs"), { recursive: true });
  const fixture = path.join(folder, "..", "fixture");
  mkdirSync(path.join(fixture, "src"), { recursive: true });
  writeFileSync(path.join(fixture, "src", "app.ts"), "export const app = 1;\n");
  writeFileSync(path.join(fixture, "..", "secret.txt"), "a secret\n");
  writeFileSync(path.join(folder, "bench-1", "bench.json"), JSON.stringify({ suite: { fixture } }));
  writeFileSync(path.join(folder, "bench-1", "runs", "a.json"), JSON.stringify(kept));
  const ended = (id: string, trajectory: string | null) =>
    works[0]?.hear({
      kind: "ended",
      run: makeRun({ benchId: "bench-1", id, trajectory, round: id.charCodeAt(0) }),
      done: 1,
      of: 4,
    });
  ended("a", "runs/a.json");
  ended("b", "../../elsewhere.json");
  ended("c", null);
  const page = async (id: string) => (await queue.jobs.runPage("bench-1", id)).page;
  assert.deepEqual(
    (await page("a"))?.trajectory?.turns.map(({ turn: number, ms, processingTokens }) => [
      number,
      ms,
      processingTokens,
    ]),
    [
      [1, 5000, 40_000],
      [2, null, 40_000],
      [3, null, 40_000],
    ],
  );
  assert.equal((await page("b"))?.trajectory, null);
  assert.equal((await page("c"))?.trajectory, null);
  assert.equal(await page("d"), null);
  const change = (id: string, file: string) => queue.jobs.change("bench-1", id, file);
  assert.deepEqual(change("a", "src/app.ts"), { before: "export const app = 1;\n", after: null });
  assert.deepEqual(change("a", "src/new.ts"), { before: null, after: "export {};\n" });
  assert.deepEqual(change("a", "../secret.txt"), { before: null, after: "mine\n" });
  for (const [id, file] of [
    ["a", "src/none.ts"],
    ["b", "src/app.ts"],
    ["d", "src/app.ts"],
  ] as const)
    assert.equal(change(id, file), null);
  await queue.stop();
});

test("with any content in the jobs' folder, valid jobs are read and nothing is thrown", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const folder = scratch();
      const problems: string[] = [];
      const store = jobStore(folder, (message) => problems.push(message.text));
      mkdirSync(path.join(folder, "good"));
      const none = { startedAt: null, endedAt: null, memories: null, plan: null, outline: null, runs: [] };
      store.write({ version: 1, id: "good", ask, project: null, state: { kind: "done" }, at: 1, ...none });
      mkdirSync(path.join(folder, "bad"));
      writeFileSync(path.join(folder, "bad", "job.json"), text);
      mkdirSync(path.join(folder, "empty"));
      assert.deepEqual(
        store.load().map(({ id }) => id),
        ["good"],
      );
      assert.equal(problems.length, 1);
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 30 },
  );
});
