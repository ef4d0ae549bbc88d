import type { LifeFigures, Line } from "./scenario.ts";
import { selectInWorld, type SelectedLife } from "./select-life.ts";
import { makeSuiteWorld, type WorldName } from "./suite-worlds.ts";

/** The mix of the goals: four that do nothing, savers of 5, 10 and 20 %, and one that costs 10 %. All savers together: 35 %. */
const eight = [0, 0, 0, 0, 0.05, 0.1, 0.2, -0.1];

/** Figures of rules of one mix: the share of each kind that got in, and the bill. */
function figuresOfMix(
  saves: readonly number[],
  { admitted, tokensSpent, set, settled }: SelectedLife,
): LifeFigures {
  const isIn = (share: number) =>
    saves.flatMap((own, place) => (own === share ? [admitted.includes(place)] : []));
  const told = settled.flatMap(({ rule: { id }, receipt: { verdict } }) => {
    const truth = saves[Number(id.slice(1))] ?? 0;
    const share = verdict.savingShare;
    return share === null ? [] : [share.low <= truth && truth <= share.high];
  });
  return {
    useless: isIn(0),
    five: isIn(0.05),
    ten: isIn(0.1),
    twenty: isIn(0.2),
    harmful: saves.flatMap((own, place) => (own < 0 ? [admitted.includes(place)] : [])),
    saved: admitted.reduce((sum, place) => sum + (saves[place] ?? 0), 0),
    anyBad: admitted.some((place) => (saves[place] ?? 0) <= 0),
    tokens: tokensSpent,
    holds: told,
    confirmed: set === null ? null : set.kind === "settled" && set.decision !== "undecided",
    unpaid: set === null ? null : set.kind === "unpaid",
  };
}

export const linesOfMix: readonly Line[] = [
  { key: "twenty", name: "saves 20 %: let in" },
  { key: "ten", name: "saves 10 %: let in" },
  { key: "five", name: "saves 5 %: let in" },
  { key: "useless", name: "does nothing: let in" },
  { key: "harmful", name: "costs 10 %: let in" },
  { key: "anyBad", name: "any that saves nothing let in" },
  { key: "saved", name: "saved by all that were let in", unit: "percent" },
  { key: "tokens", name: "tokens of all", unit: "millions" },
  { key: "holds", name: "intervals of 90 % that hold" },
  { key: "unpaid", name: "confirmation not paid for" },
];

/** Eight rules measured together until they are proved, with 3 million tokens for each. */
export async function provedEight(name: WorldName, seed: number): Promise<LifeFigures> {
  const world = makeSuiteWorld({ name, saves: eight }, seed);
  return figuresOfMix(eight, await selectInWorld(world, seed, { tokenCap: eight.length * 3_000_000 }));
}

/** The same lines with goals, by key. */
export function withGoals(
  lines: readonly Line[],
  goals: Readonly<Record<string, NonNullable<Line["goal"]>>>,
): Line[] {
  return lines.map((line) => {
    const goal = goals[line.key];
    return goal === undefined ? line : { ...line, goal };
  });
}
