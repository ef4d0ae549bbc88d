import { wholeNumber } from "../../base/text/format.ts";
import type { PlannedInstall } from "./plan.ts";

/** Says, before a benchmark starts, what is downloaded for it. */
export function describeInstall({ packages }: PlannedInstall): string {
  const what =
    packages === null
      ? "the packages"
      : `up to ${wholeNumber(packages)} ${packages === 1 ? "package" : "packages"}`;
  return `Before the first run, npm downloads ${what} that the tasks' project needs from its registry, and they are kept for later benchmarks.`;
}
