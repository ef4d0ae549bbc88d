import assert from "node:assert/strict";
import { appendFile, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { auditSuite } from "../../../../src/engine/bench/golden/audit.ts";
import { scratchFolder, suiteAt, sumPatch, taskText, writeSuite } from "../support/disk-suite.ts";

const task = "tasks/backend/01-sum.md";
const solution = "solution: 01-sum.solution.patch\n";
const wrong = "wrong: [01-sum.wrong-1.patch, 01-sum.wrong-2.patch]\n";

/** The audit's faults for the suite's only task, with these files changed. */
async function faults(t: TestContext, files: Readonly<Record<string, string>>) {
  const suite = await suiteAt(await writeSuite(t, files));
  const scratch = await scratchFolder(t);
  const [audit] = await auditSuite(suite, suite.tasks, {
    scratch,
    modules: () => Promise.resolve(succeed(null)),
    env: process.env,
    clock: systemClock,
    parallel: 2,
    signal: new AbortController().signal,
  });
  assert.deepEqual(await readdir(scratch), [], "a copy was left");
  return {
    kinds: audit?.faults.map(({ kind }) => kind),
    detail:
      audit?.faults
        .map(({ detail }) => detail)
        .map(({ text }) => text)
        .join("\n") ?? "",
    audit,
  };
}

describe("the audit of golden tasks", { concurrency: true }, () => {
  it("finds nothing if a check distinguishes good from bad work", async (t) => {
    const { kinds, audit } = await faults(t, {});
    assert.deepEqual(kinds, []);
    assert.deepEqual(
      audit?.trials.map((trial) => [trial.with, trial.outcome]),
      [
        ["pristine", "failed"],
        ["01-sum.solution.patch", "passed"],
        ["01-sum.wrong-1.patch", "failed"],
        ["01-sum.wrong-2.patch", "failed"],
      ],
    );
  });

  it("finds a check that always passes, in both of its directions", async (t) => {
    const { kinds, detail } = await faults(t, { [task]: taskText("node --version", solution + wrong) });
    assert.deepEqual(kinds, ["always-passes", "wrong-passes", "wrong-passes"]);
    assert.match(detail, /backend-01-sum: its check passes although nothing was done/u);
    assert.match(detail, /passes with 01-sum\.wrong-2\.patch/u);
  });

  it("finds a check that never passes, and shows its output", async (t) => {
    const { kinds, detail } = await faults(t, {
      "checks/backend/01-sum.mjs": 'throw new Error("the sky is grey");',
    });
    assert.deepEqual(kinds, ["never-passes"]);
    assert.match(detail, /01-sum\.solution\.patch: .*the sky is grey/u);
  });

  it("finds a wrong solution that is right", async (t) => {
    const { kinds } = await faults(t, { "tasks/backend/01-sum.wrong-2.patch": sumPatch("other + one") });
    assert.deepEqual(kinds, ["wrong-passes"]);
  });

  it("finds solutions that do not apply or are not there, and too few wrong ones", async (t) => {
    const stale = sumPatch("one + other").replace("one - other", "one / other");
    const other = await faults(t, { "tasks/backend/01-sum.solution.patch": stale });
    assert.deepEqual(other.kinds, ["does-not-apply"]);
    assert.match(other.detail, /01-sum\.solution\.patch does not apply: src\/sum\.mjs/u);
    const none = await faults(t, {
      [task]: taskText(undefined, "solution: none.patch\nwrong: [01-sum.wrong-1.patch]\n"),
    });
    assert.deepEqual(none.kinds, ["does-not-apply", "few-wrong"]);
    assert.match(none.detail, /there is no none\.patch/u);
    const draft = await faults(t, { [task]: taskText(undefined, wrong) });
    assert.deepEqual(draft.kinds, ["no-solution"]);
  });

  it("distinguishes a check that cannot run from one that fails", async (t) => {
    const { kinds, detail } = await faults(t, { [task]: taskText("no-such-program", solution + wrong) });
    assert.deepEqual(new Set(kinds), new Set(["not-run"]));
    assert.match(detail, /could not be run \(pristine\)/u);
  });

  it("does not continue with a fixture that changed in between", async (t) => {
    const paths = await writeSuite(t);
    const suite = await suiteAt(paths);
    await appendFile(path.join(paths.fixture, "README.md"), "more");
    const [audit] = await auditSuite(suite, suite.tasks, {
      scratch: await scratchFolder(t),
      modules: () => Promise.resolve(succeed(null)),
      env: process.env,
      clock: systemClock,
      parallel: 1,
      signal: new AbortController().signal,
    });
    assert.match(audit?.faults[0]?.detail.text ?? "", /README\.md of the fixture was changed/u);
  });

  it("stops when cancelled", async (t) => {
    const suite = await suiteAt(await writeSuite(t));
    const scratch = await scratchFolder(t);
    const audits = await auditSuite(suite, suite.tasks, {
      scratch,
      modules: () => Promise.resolve(succeed(null)),
      env: process.env,
      clock: systemClock,
      parallel: 2,
      signal: AbortSignal.timeout(60),
    });
    assert.deepEqual([audits, await readdir(scratch)], [[], []]);
  });
});
