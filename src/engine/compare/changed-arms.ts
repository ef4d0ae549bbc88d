import { compose, sentence, type Sentence } from "../base/text/sentence.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { controlsOf, maxArms } from "../bench/arm-design.ts";
import { configurationHash, type Configuration } from "../bench/configuration.ts";
import type { BenchRequest } from "../bench/bench-request.ts";
import {
  changedPair,
  comparisonTitle,
  type Change,
  type ChangedPair,
  type ChangeFault,
} from "./compare-change.ts";

/** Changes of one configuration. Several of them are compared with the same runs of it. */
export interface ChangedArms {
  /** In the requested order. */
  readonly pairs: readonly [ChangedPair, ...ChangedPair[]];
  readonly title: Sentence;
  /** Configurations and design of their bench. */
  readonly bench: Pick<BenchRequest, "configurations" | "design">;
}

/** `twice`: a change is named again. `too_many`: more than `mostArms`. `apart`: changes without a common unchanged side. */
export type ArmsFault = ChangeFault | "twice" | "too_many" | "apart";

/** Returns the sides of a comparison: `base` unchanged, and with each of the changes. */
export function changedArms(
  base: Configuration,
  change: Change,
  others: readonly Change[] = [],
): Result<ChangedArms, ArmsFault> {
  const first = changedPair(base, change);
  if (!first.ok) return first;
  const pairs: [ChangedPair, ...ChangedPair[]] = [first.value];
  if (others.length === 0) {
    const { configurations, subject } = first.value;
    return succeed({ pairs, title: subject.title, bench: { configurations } });
  }
  const count = 1 + others.length;
  if (count > maxArms)
    return fail(
      "too_many",
      sentence("{0} changes are named; at most {1} are compared at once", count, maxArms),
    );
  for (const other of others) {
    const made = changedPair(base, other);
    if (!made.ok) return made;
    const [before, after] = made.value.configurations;
    const twin = pairs.find((each) => isSame(each.configurations[1], after));
    if (twin !== undefined)
      return fail(
        "twice",
        sentence("{one} is the same as {other}; name each once", {
          one: after.label,
          other: twin.configurations[1].label,
        }),
      );
    if (!isSame(before, first.value.configurations[0]))
      return fail(
        "apart",
        sentence("What is left out can only be compared on its own; ask for one at a time"),
      );
    pairs.push(made.value);
  }
  const [control] = first.value.configurations;
  const controls = Array.from({ length: controlsOf(count) }, (_, index) =>
    index === 0 ? control : { ...control, label: compose`${control.label} (${index + 1})` },
  );
  const changed = pairs.map(({ configurations }) => configurations[1]);
  return succeed({
    pairs,
    title: comparisonTitle(
      changed.map(({ label }) => label),
      control.label,
    ),
    bench: { configurations: [...controls, ...changed], design: "arms" },
  });
}

function isSame(one: Configuration, other: Configuration): boolean {
  return configurationHash(one) === configurationHash(other);
}
