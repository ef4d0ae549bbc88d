import type { PastAction } from "../story/past-action.ts";
import { learnedFrom } from "./conclusion.ts";
import { Counting, summed, type Sum, plain, type Fact } from "./fact.ts";
import type { LearnTask, Seen, SessionFold } from "./task.ts";

/** Steps of a stretch that count, and of a sequence. */
const [maxStretchSteps, maxSequenceSteps] = [8, 3];
/** Stretches and sessions in which a sequence must have led to success. */
const [minStretches, minSessions] = [5, 3];
/** A sequence must be followed by success more often than chance explains: the risk that any of those of a project is found by chance. */
const maxError = 0.05;
const maxFound = 10;

/**
 * Finds what agents did before a check passed. A stretch lies between two checks of a kind, with an edit or a
 * command that may change something. For each sequence of two or three steps, it counts the stretches with
 * it, and those of them that end in a passed check. The comparison is all stretches of that kind of check.
 */
class Stretches implements SessionFold {
  readonly #counts = new Counting(400);
  #steps: string[] = [];

  add({ action, turn }: Seen): void {
    if (action === null) return;
    const [kind] = action.line?.checks ?? [];
    if (kind === undefined || action.outcome === "unknown") {
      const step = stepOf(action);
      if (step !== null && this.#steps.at(-1) !== step)
        this.#steps = [...this.#steps, step].slice(-maxStretchSteps);
      return;
    }
    const steps = this.#steps;
    this.#steps = [];
    if (!steps.some((step) => /^(?:edit|run)\b/u.test(step))) return;
    const good = action.outcome === "succeeded";
    this.#counts.add(`${kind}|`, { turn, good, text: kind });
    for (const sequence of sequencesIn(steps))
      this.#counts.add(`${kind}|${sequence}`, { turn, good, text: sequence });
  }

  facts(): Fact[] {
    return this.#counts.all().toSorted((a, b) => Number(isBase(b.key)) - Number(isBase(a.key)));
  }
}

export const learnSequences: LearnTask = {
  name: "LearnSequences",
  observe: () => new Stretches(),
  conclude: (sessions, project) => {
    const sums = summed(sessions);
    const bases = sums.filter(({ key }) => isBase(key));
    return bases.flatMap((base) =>
      better(
        base,
        sums.filter(({ key }) => key.startsWith(base.key) && key !== base.key),
      ).map((sum) =>
        learnedFrom("LearnSequences", project, {
          sum,
          text:
            `${base.text} passes more often after ${sum.text}: ${percent(sum)} of ${sum.count} times, ` +
            `against ${percent(base)} of ${base.count}`,
        }),
      ),
    );
  },
};

/** Returns the sequences that are followed by success more often than chance explains, the greatest lift first. */
function better(base: Sum, sums: readonly Sum[]): Sum[] {
  // Sequences are selected without their outcomes, so that the error probability is the stated one.
  const tried = sums.filter(({ count, sessions }) => count >= minStretches && sessions >= minSessions);
  const found = tried
    .filter((sum) => sum.good >= minStretches && chanceOf(sum, base) <= maxError / tried.length)
    .toSorted((a, b) => share(b) - share(a) || b.count - a.count || (a.key < b.key ? -1 : 1));
  // A longer sequence that explains no more than a part of it is left out.
  return found
    .filter(
      (sum) =>
        !found.some((other) => other !== sum && sum.text.includes(other.text) && share(other) >= share(sum)),
    )
    .slice(0, maxFound);
}

/**
 * Probability that at least as many of the stretches succeed, drawn without replacement from all
 * (hypergeometric). This is Fisher's exact test, one-sided.
 */
function chanceOf({ count, good }: Sum, base: Sum): number {
  const bad = base.count - base.good;
  let chance = 0;
  for (let hits = good; hits <= Math.min(count, base.good); hits += 1) {
    if (count - hits > bad) continue;
    chance += Math.exp(
      logChoose(base.good, hits) + logChoose(bad, count - hits) - logChoose(base.count, count),
    );
  }
  return chance;
}

function logChoose(of: number, chosen: number): number {
  let sum = 0;
  for (let k = 1; k <= chosen; k += 1) sum += Math.log(of - chosen + k) - Math.log(k);
  return sum;
}

function stepOf({ kind, line, tool, writes, outcome }: PastAction): string | null {
  if (line !== null) {
    if (line.checks.length > 0) return `check ${line.checks[0] ?? ""}`;
    if (line.undoes === "all" || line.undoes.length > 0) return "take changes back";
    return line.effect === "change" ? `run ${plain(line.name, 40)}` : line.reads === null ? "look" : "read";
  }
  if (kind === "edit")
    return outcome === "failed" ? "failed edit" : `edit ${extensionOf(writes[0] ?? "")}`.trim();
  if (kind === "other") return /^[\w.-]{1,30}$/u.test(tool) ? tool : null;
  return kind;
}

function sequencesIn(steps: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (let length = 2; length <= maxSequenceSteps; length += 1)
    for (let from = 0; from + length <= steps.length; from += 1)
      found.add(steps.slice(from, from + length).join(", then "));
  return found;
}

export function extensionOf(file: string): string {
  return /\.[A-Za-z]\w{0,9}$/u.exec(file)?.[0] ?? "";
}

function isBase(key: string): boolean {
  return key.endsWith("|");
}

function share({ good, count }: Sum): number {
  return count === 0 ? 0 : good / count;
}

function percent(sum: Sum): string {
  return `${Math.round(100 * share(sum))}%`;
}
