import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runGroup } from "./run-group.ts";
import type { Step } from "./steps.ts";
import { skippedTests, testCounts } from "./test-counts.ts";
import type { Counts } from "./test-counts.ts";

const root = resolve(import.meta.dirname, "../..");
const stepLimit = 25 * 60_000; // ms, even on a starved machine
/** The exit code of a step that cannot run on this machine, which is not a failure. */
const cannotHere = 75;

export interface Outcome {
  readonly step: Step;
  readonly state: "passed" | "failed" | "skipped";
  readonly seconds: number;
  /** Processor time, null if unknown. Seconds. */
  readonly processor: number | null;
  /** Counts of its tests; a step without tests counts as one. */
  readonly counts: Counts;
  /** Why it was skipped, or which of its tests were. */
  readonly skips: readonly string[];
  readonly output: string;
}

/** Runs a step to its end, stores its output in `out/check`, and returns the outcome. */
export async function runStep(step: Step, signal: AbortSignal): Promise<Outcome> {
  const began = performance.now();
  const { exitCode, output, processor } = await runGroup(step.command, {
    cwd: root,
    timeout: stepLimit,
    signal,
    env: {
      // A step that runs within another test runner must not report to that one.
      NODE_TEST_CONTEXT: undefined,
      FORCE_COLOR: "0",
      NO_COLOR: "1",
      // Each test file runs in its own process; the cache shares compiled code between them.
      NODE_COMPILE_CACHE: join(root, "out", "compile-cache"),
    },
  });
  await mkdir(join(root, "out", "check"), { recursive: true });
  await writeFile(join(root, "out", "check", `${step.name}.log`), output);
  if (exitCode === cannotHere) return skipStep(step, output.trim());
  const counted = testCounts(output);
  const state = exitCode !== 0 || (counted !== undefined && counted.failed > 0) ? "failed" : "passed";
  return {
    step,
    state,
    output,
    seconds: (performance.now() - began) / 1000,
    processor,
    counts: counted ?? { passed: state === "passed" ? 1 : 0, failed: state === "failed" ? 1 : 0, skipped: 0 },
    skips: skippedTests(output).map((name) => `${step.name}: ${name}`),
  };
}

export function skipStep(step: Step, reason: string): Outcome {
  return {
    step,
    state: "skipped",
    seconds: 0,
    processor: null,
    output: "",
    counts: { passed: 0, failed: 0, skipped: 1 },
    skips: [`${step.name} (${step.title}): ${reason}`],
  };
}
