import path from "node:path";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { afterEach, beforeEach, test } from "node:test";
import { benchBudget } from "../../../src/engine/bench/run-budget.ts";
import type { BenchRequest } from "../../../src/engine/bench/bench-request.ts";
import { benchPlan } from "../../../src/engine/jobs/bench-answers.ts";
import {
  describeInstall,
  type ExpectedTokens,
  type MetaCost,
  type PlannedInstall,
} from "../../../src/engine/bench/plan.ts";
import { planBench, runBench } from "../../../src/engine/bench/execute/run-bench.ts";
import { createBudget } from "../../../src/engine/budgets/convoys/convoys-store.ts";
import { noHistory } from "../../../src/engine/budgets/projection.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { projectBudgets } from "../../../src/engine/budgets/live/project.ts";
import { assert } from "../support/assert-texts.ts";
import {
  configuration,
  makeTinyBench,
  playing,
  portsOf,
  requestOf,
  solves,
  type TinyBench,
} from "./support/tiny-suite.ts";

let tiny: TinyBench;
beforeEach(async () => {
  tiny = await makeTinyBench();
});
afterEach(() => tiny.remove());

const known: ExpectedTokens = {
  perRun: 50_000,
  cacheReadPerRun: 400_000,
  spread: 0.2,
  source: "measured",
  because: plainSentence("your last 30 runs of backend"),
};

function plan(
  more: Partial<BenchRequest> = {},
  {
    expected = known,
    week = null,
  }: { expected?: ExpectedTokens | null; week?: Omit<MetaCost, "share"> | null } = {},
) {
  const ports = portsOf(tiny, playing(solves), { price: (_, { processing }) => processing / 1e6 });
  const book = {
    record: () => Promise.resolve(),
    expected: () => Promise.resolve(expected),
    week: () => Promise.resolve(week),
  };
  return planBench(requestOf(tiny, more), { ...ports, recorder: book });
}

test("a plan states runs, tokens and dollars, from the user's own runs", async () => {
  const { runs, tokens, cacheReadTokens, usd, expected } = await plan({ runs: 5 });
  assert.deepEqual([runs, tokens, cacheReadTokens], [20, 1_000_000, 8_000_000]);
  assert.ok(usd !== null && Math.abs(usd - 1) < 1e-9);
  assert.equal(expected.because, known.because);
});

test("without own runs it is labelled as an estimate", async () => {
  const { expected } = await plan({}, { expected: null });
  assert.equal(expected.source, "estimated");
  assert.match(expected.because.text, /no runs of these tasks yet/u);
});

test("more runs detect smaller savings, and one configuration detects none", async () => {
  const seen = async (runs: number) => (await plan({ runs })).smallestSaving ?? 0;
  assert.ok(Math.abs((await seen(2)) / (await seen(8)) - 2) < 0.01);
  // 2.8 standard errors of the difference between two means of 20 runs each, with a spread of a fifth.
  assert.equal(await seen(10), Math.round(2.8 * 10_000 * Math.sqrt(2 / 20)));
  assert.equal((await plan({ configurations: [configuration()] })).smallestSaving, null);
});

test("benches that take more than a tenth of the week's real work are warned of", async () => {
  const cheap = await plan({ runs: 1 }, { week: { realWork: 10_000_000, benches: 100_000 } });
  assert.deepEqual([cheap.metaCost?.share, cheap.warnings], [0.03, []]);
  const dear = await plan({ runs: 5 }, { week: { realWork: 5_000_000, benches: 0 } });
  assert.deepEqual(dear.warnings, ["benchmarks take 20% of what you use in a week"]);
  assert.equal((await plan({}, { week: { realWork: 0, benches: 5 } })).metaCost, null);
});

test("a cap that is expected to be reached is warned of", async () => {
  assert.equal((await plan({ tokenCap: 300_000 })).warnings.length, 1);
  assert.equal((await plan({ tokenCap: 500_000 })).warnings.length, 0);
});

test("a plan lists downloads before the first run, and none if no run is left", async () => {
  const asked: string[] = [];
  const install: PlannedInstall = { packages: 213 };
  const ports = portsOf(tiny, playing(solves), {
    pendingInstall: ({ folder }) => {
      asked.push(folder);
      return Promise.resolve(install);
    },
  });
  const request = requestOf(tiny, { runs: 1 });
  assert.deepEqual((await planBench(request, ports)).install, install);
  const emitted: unknown[] = [];
  const made = await runBench(request, ports, new AbortController().signal, (progress) => {
    if (progress.kind === "plan") emitted.push(progress.plan.install);
  });
  assert.ok(made.ok);
  assert.deepEqual(emitted, [null], "it was said before it was started");
  assert.equal((await planBench(request, ports, made.value.runs)).install, null);
  assert.deepEqual(asked, [tiny.suite.fixture?.folder]);
});

test("an earlier job's plan without downloads is read as having none", async () => {
  const { install, ...old } = await plan();
  assert.equal(install, null);
  assert.equal(benchPlan.parse(old).install, null);
});

test("downloads are described in one sentence", () => {
  const said = (packages: number | null) => describeInstall({ packages });
  assert.equal(
    said(1213),
    "Before the first run, npm downloads up to 1,213 packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
  );
  assert.match(said(1).text, / up to 1 package that /u);
  assert.match(said(null).text, / downloads the packages that /u);
});

test("a project's budget is checked before each run, and each run's usage is reported to it", async () => {
  const project = path.join(tiny.root, "project");
  await mkdir(project);
  const clock = { now: () => Date.now() };
  const ports = projectBudgets(project, {
    pid: process.pid,
    machine: thisMachine(),
    clock,
    history: noHistory,
    apart: { folder: path.join(tiny.root, "spending"), isTrusted: null },
  });
  assert.ok(
    (await createBudget({ convoyId: "all", levels: { project: { limit: 75_000, period: "day" } } }, ports))
      .ok,
  );
  const guard = benchBudget(ports);
  const driver = playing((task) => solves(task, 19_900));
  const benchPorts = portsOf(tiny, driver, { mayRun: guard.mayRun, unique: randomUUID });
  const book = {
    expected: () => Promise.resolve({ ...known, perRun: 20_000 }),
    week: () => Promise.resolve(null),
    record: async (run: Parameters<typeof guard.used>[0]) => assert.equal(await guard.used(run), null),
  };
  const answer = await runBench(
    requestOf(tiny),
    { ...benchPorts, recorder: book },
    new AbortController().signal,
    () => undefined,
  );
  assert.ok(answer.ok);
  const { state, runs } = answer.value;
  assert.equal(state.kind === "paused" && state.reason, "budget");
  assert.match(state.kind === "paused" ? state.detail.text : "", /project_budget_exceeded/u);
  assert.equal(runs.length, 3);
});
