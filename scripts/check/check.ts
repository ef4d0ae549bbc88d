import type { Step } from "./steps.ts";
import type { KnownUnsteady } from "./known-unsteady.ts";
import { runParallel } from "./run-beside.ts";
import { skipStep } from "./run-step.ts";
import type { Outcome } from "./run-step.ts";
import { listFaults, reportRetries } from "./second-tries.ts";
import type { Retry } from "./second-tries.ts";
import { stepCosts } from "./step-costs.ts";
import { failedFiles } from "./test-counts.ts";
import type { Counts } from "./test-counts.ts";

const beside = 2; // steps at a time; more would starve each other on two cores
const shownOnFailure = 150; // lines

export interface CheckPorts {
  readonly run: (step: Step, signal: AbortSignal) => Promise<Outcome>;
  readonly print: (line: string) => void;
  /** Milliseconds from an arbitrary origin. */
  readonly now: () => number;
  /** The test files that may need a second try. */
  readonly known: readonly KnownUnsteady[];
  /** Whether a file exists, by its path from the repository root. */
  readonly isThere: (file: string) => boolean;
  readonly signal: AbortSignal;
}

/** Runs steps, retries failures once, and reports the outcome. */
export class Check {
  readonly #ports: CheckPorts;
  readonly #outcomes: Outcome[] = [];
  readonly #failedOnce: Outcome[] = [];
  readonly #secondTries: Retry[] = [];

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  /** Returns the exit code. */
  async run(steps: readonly Step[]): Promise<number> {
    const began = this.#ports.now();
    await runParallel(steps, beside, (step) => this.#runOnce(step));
    for (const outcome of this.#failedOnce) await this.#runAgain(outcome);
    const hasPassed = this.#summary();
    this.#ports.print(`${steps.length} steps in ${((this.#ports.now() - began) / 1000).toFixed(0)} s`);
    this.#ports.print(this.#totals());
    return hasPassed && !this.#ports.signal.aborted ? 0 : 1;
  }

  async #runOnce(step: Step): Promise<void> {
    const { signal, run } = this.#ports;
    const outcome = signal.aborted
      ? skipStep(step, "the check was stopped")
      : (this.#blocked(step) ?? (await run(step, signal)));
    this.#print(outcome);
    (outcome.state === "failed" && step.isSure !== true ? this.#failedOnce : this.#outcomes).push(outcome);
  }

  /**
   * Tests of real editors, agents and processes have deadlines, which a starved machine sometimes misses. Failures are run once
   * more, alone, after everything else. A second failure fails the check; so does a pass on the second try, unless the file is
   * listed as known.
   */
  async #runAgain(first: Outcome): Promise<void> {
    const { run, signal } = this.#ports;
    if (signal.aborted) {
      this.#outcomes.push(first);
      return;
    }
    const { step, counts, output, seconds } = first;
    const files = failedFiles(output);
    // Its own name, so that the first try's log is preserved.
    const again = { ...step, name: `${step.name}-again` };
    const second =
      step.again === undefined || files.length === 0
        ? await run(again, signal)
        : mergeRetryCounts(counts, await run({ ...again, command: step.again(files) }, signal));
    if (second.state === "passed") this.#secondTries.push({ step: step.name, files });
    this.#print(second);
    this.#outcomes.push({
      ...second,
      step,
      seconds: seconds + second.seconds,
      processor: sumOf(first.processor, second.processor),
    });
  }

  /** Skips a step if a prerequisite did not pass, instead of letting it fail for another reason. */
  #blocked(step: Step): Outcome | undefined {
    const missing = step.needs?.find((name) =>
      [...this.#outcomes, ...this.#failedOnce].some(
        (other) => other.step.name === name && other.state !== "passed",
      ),
    );
    return missing === undefined ? undefined : skipStep(step, `it needs "${missing}", which did not pass`);
  }

  #print({ step, state, seconds, counts, output }: Outcome): void {
    const { print } = this.#ports;
    const tests =
      counts.passed + counts.failed > 1 ? `${counts.passed} of ${counts.passed + counts.failed}` : "";
    const mark = { passed: "ok  ", failed: "FAIL", skipped: "SKIP" }[state];
    print(
      `${mark} ${step.name.padEnd(12)} ${step.title.padEnd(52)} ${tests.padStart(11)} ${seconds.toFixed(1).padStart(6)} s`,
    );
    if (state !== "failed") return;
    // Node's test runner repeats failures at the end of its output.
    const failures = output.indexOf("✖ failing tests:");
    const lines = (failures === -1 ? output : output.slice(failures)).split("\n");
    print(`     all of it: out/check/${step.name}.log`);
    for (const line of lines.slice(-shownOnFailure)) print(`     ${line}`);
  }

  /** Prints the summary; returns whether everything passed. */
  #summary(): boolean {
    const { print, known, isThere } = this.#ports;
    const failed = this.#outcomes.filter(({ state }) => state === "failed");
    const tries = reportRetries(this.#secondTries, known);
    const wrong = [...tries.faults, ...listFaults(known, isThere)];
    print("");
    for (const line of stepCosts(this.#outcomes)) print(line);
    print("");
    for (const skip of this.#outcomes.flatMap(({ skips }) => skips)) print(`SKIPPED ${skip}`);
    for (const line of tries.known) print(`KNOWN ${line}`);
    for (const line of wrong) print(`UNSTEADY ${line}`);
    if (failed.length > 0) print(`FAILED ${failed.map(({ step }) => step.name).join(", ")}`);
    return failed.length === 0 && wrong.length === 0;
  }

  #totals(): string {
    const total = (count: keyof Counts) => this.#outcomes.reduce((sum, { counts }) => sum + counts[count], 0);
    const skipped = total("skipped");
    return `${total("passed")} passed, ${total("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  }
}

function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Counts after a retry: passed tests are not run again, except those that share a file with a failed test. */
function mergeRetryCounts({ passed, failed }: Counts, outcome: Outcome): Outcome {
  const { failed: still, skipped } = outcome.counts;
  return { ...outcome, counts: { passed: passed + failed - still, failed: still, skipped } };
}
