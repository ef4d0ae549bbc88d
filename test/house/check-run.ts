/** `npm run check [-- --only NAME]…`: runs the steps of `check-steps.ts` and says how each went. */
import { parseArgs } from "node:util";
import { steps } from "./check-steps.ts";
import type { Step } from "./check-steps.ts";
import { runStep, skipStep } from "./run-step.ts";
import type { Outcome } from "./run-step.ts";
import { failedFiles } from "./test-counts.ts";
import type { Counts } from "./test-counts.ts";

const beside = 2; // light steps at a time
const shownOnFailure = 150; // lines

const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => abort.abort());

const chosen = chooseSteps(process.argv.slice(2));
if (typeof chosen === "string") {
  console.error(chosen);
  process.exit(2);
}
const began = performance.now();
const outcomes: Outcome[] = [];
const unsteady: string[] = [];
await runLight(chosen.filter(({ light }) => light === true));
for (const step of chosen.filter(({ light }) => light !== true)) await run(step);
process.exitCode = summary();

function chooseSteps(args: readonly string[]): readonly Step[] | string {
  const names = steps.map(({ name }) => name).join(", ");
  try {
    const { values } = parseArgs({ args: [...args], options: { only: { type: "string", multiple: true } } });
    const only = values.only;
    if (only === undefined) return steps;
    const unknown = only.find((name) => !steps.some((step) => step.name === name));
    return unknown === undefined
      ? steps.filter(({ name }) => only.includes(name))
      : `There is no step ${unknown}. Steps: ${names}.`;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\nUse: npm run check [-- --only NAME]. Steps: ${names}.`;
  }
}

async function runLight(light: readonly Step[]): Promise<void> {
  const waiting = [...light];
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
  };
  await Promise.all(Array.from({ length: beside }, worker));
}

async function run(step: Step): Promise<void> {
  const outcome = abort.signal.aborted
    ? skipStep(step, "the check was stopped")
    : (blocked(step) ?? (await runStep(step, abort.signal)));
  if (outcome.state === "failed" && step.light !== true && !abort.signal.aborted) {
    print(outcome);
    await runAgain(outcome);
    return;
  }
  outcomes.push(outcome);
  print(outcome);
}

/**
 * Tests of real editors, agents and processes have deadlines, which a starved machine misses at times. What fails twice
 * fails; what passes the second time is named at the end, so that nobody overlooks it.
 */
async function runAgain({ step, counts, output }: Outcome): Promise<void> {
  const files = failedFiles(output);
  const outcome =
    step.again === undefined || files.length === 0
      ? await runStep(step, abort.signal)
      : afterSome(counts, await runStep({ ...step, command: step.again(files) }, abort.signal));
  if (outcome.state === "passed")
    unsteady.push(`${step.name}${files.length === 0 ? "" : ` (${files.join(", ")})`}`);
  outcomes.push(outcome);
  print(outcome);
}

/** What passed the first time was not run again, but for what shares a file with a failed test. */
function afterSome({ passed, failed }: Counts, outcome: Outcome): Outcome {
  const { failed: still, skipped } = outcome.counts;
  return { ...outcome, counts: { passed: passed + failed - still, failed: still, skipped } };
}

/** A step whose foundation is missing says so instead of failing for another reason. */
function blocked(step: Step): Outcome | undefined {
  const missing = step.needs?.find((name) =>
    outcomes.some((other) => other.step.name === name && other.state !== "passed"),
  );
  return missing === undefined ? undefined : skipStep(step, `it needs "${missing}", which did not pass`);
}

function print({ step, state, seconds, counts, output }: Outcome): void {
  const tests =
    counts.passed + counts.failed > 1 ? `${counts.passed} of ${counts.passed + counts.failed}` : "";
  const mark = { passed: "ok  ", failed: "FAIL", skipped: "SKIP" }[state];
  console.log(
    `${mark} ${step.name.padEnd(12)} ${step.title.padEnd(52)} ${tests.padStart(11)} ${seconds.toFixed(1).padStart(6)} s`,
  );
  if (state !== "failed") return;
  // node's test runner repeats what failed at its end.
  const failures = output.indexOf("✖ failing tests:");
  const lines = (failures === -1 ? output : output.slice(failures)).split("\n");
  console.log(`     all of it: out/check/${step.name}.log`);
  for (const line of lines.slice(-shownOnFailure)) console.log(`     ${line}`);
}

function summary(): number {
  const total = (count: keyof Outcome["counts"]) =>
    outcomes.reduce((sum, { counts }) => sum + counts[count], 0);
  const failed = outcomes.filter(({ state }) => state === "failed");
  const skips = outcomes.flatMap((outcome) => outcome.skips);
  console.log("");
  for (const skip of skips) console.log(`SKIPPED ${skip}`);
  for (const name of unsteady) console.log(`UNSTEADY ${name}: failed once, passed when run again`);
  if (failed.length > 0) console.log(`FAILED ${failed.map(({ step }) => step.name).join(", ")}`);
  console.log(`${chosen.length} steps in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  console.log(
    `${total("passed")} passed, ${total("failed")} failed${skips.length > 0 ? `, ${total("skipped")} skipped` : ""}`,
  );
  return failed.length > 0 || abort.signal.aborted ? 1 : 0;
}
