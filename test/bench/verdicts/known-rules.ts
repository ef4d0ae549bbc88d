import type { LifeFigures, Line } from "./scenario.ts";
import { selectInWorld, type SelectedLife } from "./select-life.ts";
import { makeSuiteWorld, type WorldName } from "./suite-worlds.ts";

/** The mix of the goals: four that do nothing, savers of 5, 10 and 20 %, and one that costs 10 %. All savers together: 35 %. */
export const eight = [0, 0, 0, 0, 0.05, 0.1, 0.2, -0.1];

/** Figures of rules of one mix: the share of each kind that got in, and the bill. */
export function figuresOfMix(
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
  const expectedOf = (place: number) =>
    settled.find(({ rule: { id } }) => id === `r${place}`)?.receipt.expected;
  const saidFalse = admitted.reduce((sum, place) => sum + (expectedOf(place)?.ofNothing ?? 0), 0);
  return {
    useless: isIn(0),
    five: isIn(0.05),
    ten: isIn(0.1),
    twenty: isIn(0.2),
    harmful: saves.flatMap((own, place) => (own < 0 ? [admitted.includes(place)] : [])),
    saved: admitted.reduce((sum, place) => sum + (saves[place] ?? 0), 0),
    anyBad: admitted.some((place) => (saves[place] ?? 0) <= 0),
    tokens: tokensSpent,
    net: net(admitted, saves) - tokensSpent,
    bias: admitted.flatMap((place) => (saves[place] === 0.1 ? [(expectedOf(place)?.share ?? 0) - 0.1] : [])),
    saidFalse: saidFalse - admitted.filter((place) => (saves[place] ?? 0) <= 0).length,
    holds: told,
    confirmed: set === null ? null : set.kind === "settled" && set.decision !== "undecided",
    unpaid: set === null ? null : set.kind === "unpaid",
  };
}

/** Processing tokens that the rules save over the use of the goals. */
function net(admitted: readonly number[], saves: readonly number[]): number {
  const left = admitted.reduce((product, place) => product * (1 - (saves[place] ?? 0)), 1);
  return thousand.perWeek * thousand.weeks * (thousand.tokensPerSession * (1 - left) - 27 * admitted.length);
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
  { key: "net", name: "net over 1,000 sessions", unit: "millions" },
  {
    key: "bias",
    name: "a true 10 % that was let in: told, less 10 %",
    unit: "percent",
    goal: { within: 0.02 },
  },
  {
    key: "saidFalse",
    name: "let in and said to save nothing, less the true number",
    unit: "number",
    goal: { within: 0.5 },
  },
  { key: "holds", name: "intervals of 90 % that hold" },
  { key: "unpaid", name: "confirmation not paid for", goal: { atMost: 0.1 } },
];

/** Use of a rule in the goals: 50 sessions a week until the next model, 1,000 in all. */
const thousand = { perWeek: 50, weeks: 20, tokensPerSession: 71_000 };

/** Rules measured together for as long as that pays, without any other limit. */
export async function worthOfRules(
  saves: readonly number[],
  name: WorldName,
  seed: number,
): Promise<LifeFigures> {
  const world = makeSuiteWorld({ name, saves }, seed);
  const life = await selectInWorld(world, seed, { grade: "worth", use: thousand });
  return figuresOfMix(saves, life);
}

export async function provedRules(
  saves: readonly number[],
  name: WorldName,
  seed: number,
): Promise<LifeFigures> {
  const world = makeSuiteWorld({ name, saves }, seed);
  return figuresOfMix(
    saves,
    await selectInWorld(world, seed, { use: thousand, tokenCap: saves.length * 3_000_000 }),
  );
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
