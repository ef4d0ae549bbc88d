/** `npm run check [-- --only NAME]…`: runs the steps of `steps.ts` and reports the outcome of each. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { steps } from "./steps.ts";
import type { Step } from "./steps.ts";
import { Check } from "./check.ts";
import { knownUnsteady } from "./known-unsteady.ts";
import { runStep } from "./run-step.ts";

const root = resolve(import.meta.dirname, "../..");
const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => abort.abort());

const chosen = chooseSteps(process.argv.slice(2));
if (typeof chosen === "string") {
  console.error(chosen);
  process.exit(2);
}
const check = new Check({
  run: runStep,
  print: (line) => console.log(line),
  now: () => performance.now(),
  known: knownUnsteady,
  isThere: (file) => existsSync(join(root, file)),
  signal: abort.signal,
});
process.exitCode = await check.run(chosen);

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
