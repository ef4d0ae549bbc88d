import type { BenchRequest, Shard } from "../bench-request.ts";
import { controlsAt, controlsFor } from "../plan.ts";
import { configurationHash } from "../configuration.ts";
import { sha256Hex } from "../../base/hash.ts";

export interface Cell {
  readonly agent: string;
  readonly taskId: string;
  readonly side: number;
  readonly configurationHash: string;
  /** From 1. */
  readonly round: number;
}

export type ScheduleOf = Pick<BenchRequest, "suite" | "configurations" | "taskIds" | "seed" | "design">;

/**
 * Returns the cells of one round: each task once with each configuration of its agent, with one pair of them, or with its
 * arms and their controls. Tasks are in a seeded order, and a task's sides run next to each other, in a seeded order too, so
 * that any drift hits all sides alike. The order of a task's sides depends neither on the other tasks nor on the machine.
 * @param arms of a design of arms: those that are left, counted from 1; all by default
 */
export function scheduleRound(
  { suite, configurations, taskIds, seed, design }: ScheduleOf,
  round: number,
  shard: Shard | null,
  arms: readonly number[] | null = null,
): Cell[] {
  const wanted = new Set(taskIds);
  const tasks = suite.tasks.filter(({ id }) => wanted.has(id));
  const key = keysOf(seed, round);
  const sides = configurations.map((configuration, side) => ({
    side,
    agent: configuration.agent,
    configurationHash: configurationHash(configuration),
  }));
  // A task's sides stay on one machine, so that they are compared under the same conditions.
  const isOurs = (index: number) =>
    shard === null || ((round - 1) * tasks.length + index) % shard.of === shard.index - 1;
  const pairOf = (index: number) =>
    dealtPair({ seed, pairs: configurations.length / 2, place: (round - 1) * tasks.length + index });
  const armsOf = (index: number) =>
    sidesOfArms({ seed, sides: sides.length, arms, place: (round - 1) * tasks.length + index });
  const placed = tasks.map((task, index) => ({ ...task, index }));
  const ours = sortedBy(
    placed.filter(({ index }) => isOurs(index)),
    ({ agent, id }) => key("task", agent, id),
  );
  return ours.flatMap(({ agent, id, index }) => {
    const pair = design === "pairs" ? pairOf(index) : null;
    const chosen = design === "arms" ? armsOf(index) : null;
    const own = sides.filter(
      (side) =>
        side.agent === agent &&
        (pair === null || Math.floor(side.side / 2) === pair) &&
        (chosen === null || chosen.has(side.side)),
    );
    return sortedBy(own, ({ side }) => key("side", agent, id, side)).map((side) => ({
      ...side,
      taskId: id,
      round,
    }));
  });
}

/**
 * Returns the pair at a place of a design: in each block of as many places as pairs, all pairs come once, in a seeded
 * order that depends on nothing but the block.
 */
function dealtPair({ seed, pairs, place }: { seed: number; pairs: number; place: number }): number {
  const block = Math.floor(place / pairs);
  const order = sortedBy(
    Array.from({ length: pairs }, (_, index) => index),
    (index) => sha256Hex([seed, "pair", block, index].join("\n")),
  );
  return order[place % pairs] ?? 0;
}

interface ArmsPlace {
  readonly seed: number;
  readonly sides: number;
  readonly arms: readonly number[] | null;
  readonly place: number;
}

/** Returns the sides at a place of a design of arms: each arm that is left, and controls. */
function sidesOfArms({ seed, sides, arms, place }: ArmsPlace): ReadonlySet<number> {
  const controls = controlsFor(sides);
  const left = arms ?? Array.from({ length: sides - controls }, (_, index) => index + 1);
  const start = parseInt(sha256Hex([seed, "controls", left.length].join("\n")).slice(0, 8), 16) / 2 ** 32;
  const run = controlsAt({ arms: left.length, place, start });
  return new Set([
    ...Array.from({ length: run }, (_, side) => side),
    ...left.map((arm) => controls - 1 + arm),
  ]);
}

function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keyed = items.map((item) => [keyOf(item), item] as const);
  return keyed.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

export function scheduleOf(request: ScheduleOf & Pick<BenchRequest, "runs" | "shard">): Cell[] {
  return Array.from({ length: request.runs }, (_, index) =>
    scheduleRound(request, index + 1, request.shard),
  ).flat();
}

/** The key of a cell: the same in every process that works on the bench. */
export function cellKey({ side, taskId, round }: Pick<Cell, "side" | "taskId" | "round">): string {
  return `${round}:${taskId}:${side}`;
}

function keysOf(seed: number, round: number): (...words: readonly (string | number)[]) => string {
  return (...words) => sha256Hex([seed, round, ...words].join("\n"));
}

type Placed = Pick<Cell, "agent" | "taskId" | "side" | "round">;

/** Returns a comparison of cells by their position in the schedule, which needs only the seed. */
export function orderOf(seed: number): (one: Placed, other: Placed) => number {
  const keyOf = ({ agent, taskId, side, round }: Placed) => {
    const key = keysOf(seed, round);
    return key("task", agent, taskId) + key("side", agent, taskId, side);
  };
  return (one, other) =>
    one.round - other.round || (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0);
}
