import { plural } from "../../base/text/l10n.ts";
import { sentence, type Sentence } from "../../base/text/sentence.ts";
import { wholeNumber } from "../../base/text/format.ts";
import type { PlannedInstall } from "./plan.ts";

/** Describes, before a benchmark starts, what is downloaded for it. */
export function describeInstall({ packages }: PlannedInstall): Sentence {
  if (packages === null)
    return sentence(
      "Before the first run, npm downloads the packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
    );
  return plural(
    packages,
    sentence(
      "Before the first run, npm downloads up to 1 package that the tasks' project needs from its registry, and they are kept for later benchmarks.",
    ),
    sentence(
      "Before the first run, npm downloads up to {0} packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
      wholeNumber(packages),
    ),
  );
}
