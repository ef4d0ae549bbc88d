import { sha256Hex } from "../../base/hash.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { type Configuration, currentConfiguration } from "../../bench/configuration.ts";
import { type BenchRun, isEvidence } from "../../bench/run-facts.ts";
import { orthogonalRows, type JointRun } from "../../verdict/joint.ts";
import { compileMemory } from "../memory-text.ts";
import type { Rule } from "../rule.ts";

export interface DesignedSides {
  readonly configurations: readonly Configuration[];
  /** Per configuration: ids of its rules under trial. */
  readonly rulesOf: readonly (readonly string[])[];
}

export interface SidesAsked {
  readonly own: Pick<Configuration, "agent" | "model" | "effort">;
  /** Rules that are undecided, in the order of the group. */
  readonly open: readonly Rule[];
  /** Settled rules of the group that every run has. */
  readonly kept: readonly Rule[];
  /** Other rules of the agent's memory, by their savings at the group's start. */
  readonly others: readonly Rule[];
  /** Decides which column of the array a rule gets, and which of the two signs. */
  readonly salt: string;
}

export function designSides({ own, open, kept, others, salt }: SidesAsked): DesignedSides {
  const drawn = open
    .map((rule) => ({ rule, draw: sha256Hex(`${salt}\n${rule.id}`) }))
    .toSorted((one, other) => (one.draw < other.draw ? -1 : 1));
  const halves = orthogonalRows(open.length).flatMap((row) =>
    ([1, -1] as const).map((half) =>
      drawn.filter(({ draw }, column) => row[column] === (isFlipped(draw) ? -half : half)),
    ),
  );
  return {
    configurations: halves.map((half, index) =>
      configurationOf(own, {
        label: sentence(
          "{0}: {1} of {2} rules",
          `${Math.floor(index / 2) + 1}${index % 2 === 0 ? "a" : "b"}`,
          half.length,
          open.length,
        ),
        tested: [...half.map(({ rule }) => rule), ...kept],
        others,
      }),
    ),
    rulesOf: halves.map((half) => half.map(({ rule }) => rule.id)),
  };
}

function configurationOf(
  own: SidesAsked["own"],
  { label, tested, others }: { label: Sentence; tested: readonly Rule[]; others: readonly Rule[] },
): Configuration {
  // A rule of the group must never be left out of the memory for lack of room, and its place must not follow
  // its verdict.
  const first = tested.map((rule): Rule => ({ ...rule, status: "active", saving: Number.MAX_SAFE_INTEGER }));
  const rest = others.map((rule): Rule => ({ ...rule, status: "active" }));
  const { text } = compileMemory([...first, ...rest], "0");
  const memory = text === "" ? null : { label, text };
  return { ...currentConfiguration({ ...own, memory }), label, role: "candidate" };
}

function isFlipped(draw: string): boolean {
  return parseInt(draw.slice(-1), 16) % 2 === 1;
}

/**
 * Converts the runs of such a round, keeping those that are evidence about the rules they had.
 * @param weights of tasks by id; 1 where missing
 */
export function jointRunsOf(
  runs: readonly BenchRun[],
  { rulesOf }: DesignedSides,
  weights: ReadonlyMap<string, number>,
): JointRun[] {
  return runs.filter(isEvidence).map(({ taskId, side, round, processingTokens, outcome, program }) => ({
    taskId,
    weight: weights.get(taskId) ?? 1,
    round,
    tokens: processingTokens,
    passed: outcome === "passed",
    rules: rulesOf[side] ?? [],
    ...(program === undefined ? {} : { program }),
  }));
}
