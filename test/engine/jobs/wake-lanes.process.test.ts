import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { JobExecutor, WorkEnd, WorkFailure } from "../../../src/engine/jobs/executor.ts";
import { JobQueue } from "../../../src/engine/jobs/queue.ts";
import { jobStore } from "../../../src/engine/jobs/jobs-store.ts";
import { ask } from "./support/samples.ts";

const folder = mkdtempSync(path.join(tmpdir(), "purser-wake-lanes-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const wakeOf = (agent: string, project = "/argo") => ({
  kind: "wake" as const,
  project,
  agent,
  isFresh: false,
  slot: null,
});

/** A queue with jobs that end on the test's command. */
function begin(name: string) {
  const works = new Map<
    string,
    { readonly end: (ended: Result<WorkEnd, WorkFailure>) => void; aborted: boolean }
  >();
  const asked: string[][] = [];
  let [time, names] = [0, 0];
  const runner: JobExecutor = {
    choices: () => Promise.resolve(fail("failed", plainSentence("not asked here"))),
    plan: () => Promise.resolve(fail("failed", plainSentence("not asked here"))),
    planWake: () => Promise.resolve(fail("failed", plainSentence("not asked here"))),
    run: ({ id }, _, signal) =>
      new Promise((end) => {
        const work = { end, aborted: false };
        works.set(id, work);
        signal.addEventListener("abort", () => {
          work.aborted = true;
          end(succeed({ kind: "cancelled" }));
        });
      }),
    // The process that runs jobs is gone.
    close: () => {
      for (const { end } of works.values()) end(fail("gone", plainSentence("closed")));
      return Promise.resolve();
    },
  };
  const at = path.join(folder, name);
  const queue = new JobQueue({
    store: jobStore(at, (problem) => assert.fail(problem.text)),
    runner,
    log: { write: () => undefined },
    clock: { now: () => (time += 1000) },
    memories: (agents) => {
      asked.push([...agents]);
      return Promise.resolve(succeed({}));
    },
    baselines: () => Promise.resolve([]),
    newId: () => `job-${++names}`,
  });
  const start = (order: Parameters<JobQueue["start"]>[0]["ask"]) => {
    const started = queue.start({ ask: order, env: {}, project: null });
    assert.ok(started.ok);
    return started.value.id;
  };
  const states = async () => {
    await turn();
    const { jobs, wakes } = await queue.jobs.list();
    return Object.fromEntries([...jobs, ...wakes].map(({ id, state }) => [id, state.kind]));
  };
  return { queue, works, start, states, asked, at };
}

describe("wakes in the queue", () => {
  it("run in parallel with a measurement and other agents' wakes, and wait for their own agent's", async () => {
    const { queue, works, start, states, asked } = begin("lanes");
    for (const order of [
      ask,
      wakeOf("keeper"),
      ask,
      wakeOf("keeper"),
      wakeOf("pilot"),
      wakeOf("keeper", "/b"),
    ])
      start(order);
    assert.deepEqual(await states(), {
      "job-1": "running",
      "job-2": "running",
      "job-3": "queued",
      "job-4": "queued",
      "job-5": "running",
      "job-6": "running",
    });
    const ends = queue.whenEnded("job-2");
    works.get("job-2")?.end(succeed({ kind: "done" }));
    await ends;
    assert.deepEqual(
      [(await states())["job-2"], (await states())["job-4"], (await states())["job-3"]],
      ["done", "running", "queued"],
    );
    // No rules are requested: a wake has its agent's own memory.
    assert.deepEqual(asked[1], []);
    assert.equal((await queue.jobs.read("job-2")).view, null);
    await queue.whenEnded("job-2");
    await queue.whenEnded("unknown");
    await queue.stop();
  });

  it("are interrupted by the end of the service, not cancelled; measurements are stopped first", async () => {
    const { queue, works, start, states } = begin("end");
    start(ask);
    const [wake, waiting] = [start(wakeOf("keeper")), start(wakeOf("keeper"))];
    await states();
    const ends = Promise.all([queue.whenEnded(wake), queue.whenEnded(waiting)]);
    await queue.stop();
    await ends;
    assert.deepEqual(
      [...works.values()].map(({ aborted }) => aborted),
      [true, false],
    );
    assert.deepEqual(await states(), {
      "job-1": "interrupted",
      "job-2": "interrupted",
      "job-3": "interrupted",
    });
  });

  it("are forgotten among jobs, the oldest first, once there are more than thirty that are over", async () => {
    const { queue, works, start, at } = begin("many");
    start(ask);
    for (let index = 0; index < 35; index += 1) {
      const id = start(wakeOf("keeper"));
      await turn();
      works.get(id)?.end(succeed({ kind: "done" }));
      await queue.whenEnded(id);
    }
    const { jobs, wakes } = await queue.jobs.list();
    assert.deepEqual([jobs.length, wakes.length, wakes.at(-1)?.id], [1, 30, "job-7"]);
    assert.deepEqual([existsSync(path.join(at, "job-6")), existsSync(path.join(at, "job-7"))], [false, true]);
    await queue.stop();
  });
});
