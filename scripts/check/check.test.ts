import assert from "node:assert/strict";
import { test } from "node:test";
import type { Step } from "./steps.ts";
import { Check } from "./check.ts";
import type { KnownUnsteady } from "./known-unsteady.ts";
import type { Outcome } from "./run-step.ts";

const flaky = "test/host/eyes.test.ts";
const failing = `✖ failing tests:\n\ntest at ${flaky}:7:3\n✖ it (1.2ms)`;
const eyes: Step = {
  name: "eyes",
  title: "eyes",
  command: ["node", "all"],
  again: (files) => ["node", ...files],
};

interface Scene {
  readonly known?: readonly KnownUnsteady[];
  /** Stops the check once this many steps have started. */
  readonly stopAfter?: number;
  /** Output of failing steps. */
  readonly output?: string;
}

/** Runs a check with steps that end in the given states, one after the other. */
async function checked(
  steps: readonly Step[],
  states: readonly Outcome["state"][],
  { known = [], stopAfter = Infinity, output = failing }: Scene = {},
) {
  const lines: string[] = [];
  const commands: string[] = [];
  const abort = new AbortController();
  const check = new Check({
    run: (step) => {
      const state = states[commands.length] ?? "passed";
      commands.push(step.command.join(" "));
      if (commands.length >= stopAfter) abort.abort();
      const counts = {
        passed: state === "passed" ? 2 : 1,
        failed: state === "failed" ? 1 : 0,
        skipped: 0,
      };
      return Promise.resolve({
        step,
        state,
        seconds: 1,
        processor: 1,
        counts,
        skips: [],
        output: state === "failed" ? output : "",
      });
    },
    print: (line) => lines.push(line),
    now: () => 0,
    known,
    isThere: (file) => file === flaky,
    signal: abort.signal,
  });
  const code = await check.run(steps);
  return { code, commands, told: lines.join("\n") };
}

test("what failed is run again after all the rest, and only its files", async () => {
  const other: Step = { ...eyes, name: "other", command: ["other"] };
  const { commands } = await checked([eyes, other], ["failed"]);
  assert.deepEqual(commands, ["node all", "other", `node ${flaky}`]);
});

test("what the first try printed stays beside what the second one does", async () => {
  const { told: reported } = await checked([eyes], ["failed", "failed"]);
  assert.match(reported, /all of it: out\/check\/eyes\.log/u);
  assert.match(reported, /all of it: out\/check\/eyes-again\.log/u);
});

test("a file that needed a second try fails the check", async () => {
  const { code, told: reported } = await checked([eyes], ["failed", "passed"]);
  assert.equal(code, 1);
  assert.match(reported, /^UNSTEADY eyes: test\/host\/eyes\.test\.ts failed, then passed\. Mend it/mu);
  assert.match(reported, /^2 passed, 0 failed$/mu);
});

test("a listed one does not fail it, and its reason is printed", async () => {
  const known = [{ file: flaky, reason: "the editor drops a click" }];
  const { code, told: reported } = await checked([eyes], ["failed", "passed"], { known });
  assert.equal(code, 0);
  assert.match(reported, /^KNOWN eyes: test\/host\/eyes\.test\.ts failed, then passed: the editor drops/mu);
});

test("a listed one that fails twice fails the check", async () => {
  const known = [{ file: flaky, reason: "the editor drops a click" }];
  const { code, told: reported } = await checked([eyes], ["failed", "failed"], { known });
  assert.equal(code, 1);
  assert.match(reported, /^FAILED eyes$/mu);
});

test("a list with a file that is gone fails a check that passes otherwise", async () => {
  const known = [{ file: "test/gone.test.ts", reason: "it was slow" }];
  const { code, told: reported } = await checked([eyes], [], { known });
  assert.equal(code, 1);
  assert.match(reported, /^UNSTEADY .*test\/gone\.test\.ts, which is not there/mu);
});

test("a step that fails without a test's name is run again as a whole, and is a fault when it passes then", async () => {
  const { code, commands } = await checked([eyes], ["failed", "passed"], { output: "killed" });
  assert.deepEqual([code, commands], [1, ["node all", "node all"]]);
});

test("what is sure has no second try, and what stands on it is not run", async () => {
  const types: Step = { ...eyes, name: "types", isSure: true };
  const {
    code,
    commands,
    told: reported,
  } = await checked([types, { ...eyes, needs: ["types"] }], ["failed"]);
  assert.deepEqual([code, commands.length], [1, 1]);
  assert.match(reported, /^SKIPPED eyes \(eyes\): it needs "types", which did not pass$/mu);
});

test("a check that is stopped tries nothing again, begins nothing more and does not pass", async () => {
  const third: Step = { ...eyes, name: "third" };
  const {
    code,
    commands,
    told: reported,
  } = await checked([eyes, { ...eyes, name: "other" }, third], ["failed"], {
    stopAfter: 2,
  });
  assert.deepEqual([code, commands.length], [1, 2]);
  assert.match(reported, /^SKIPPED third \(eyes\): the check was stopped$/mu);
});

test("prints the time of each step at the end, the longest first", async () => {
  const { code, told: reported } = await checked([eyes, { ...eyes, name: "other" }], ["failed", "passed"], {
    known: [{ file: flaky, reason: "the editor drops a click" }],
  });
  assert.equal(code, 0);
  assert.match(
    reported,
    /\n\neyes +2\.0 s +67 %, 2 s of processor\nother +1\.0 s +33 %, 1 s of processor\n/u,
  );
});
