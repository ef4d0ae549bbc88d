import { believe, chanceOf, isHarmful } from "../../../src/engine/rules/trial/adaptive.ts";
import { sessionsPerUpdate } from "../../../src/engine/rules/trial/pace.ts";
import {
  analyseTrial,
  usualAlpha,
  type RuleFinding,
  type TriedSession,
} from "../../../src/engine/rules/trial/analyse.ts";
import { seededRandom } from "../../engine/support/seeded-random.ts";
import type { Line } from "./scenario.ts";

/** What a rule does. */
export interface TrueRule {
  /** Saved share of a prompt's tokens. */
  readonly saves: number;
  /** The same from `turnsAt` on. */
  readonly then?: number;
  /** More short prompts in each session: the user has to ask again. */
  readonly morePrompts?: number;
}

export interface WorkShape {
  readonly rules: readonly TrueRule[];
  readonly sessions: number;
  readonly turnsAt?: number;
  /** Prompts of a session: fewest, and how many more there may be. */
  readonly prompts: readonly [number, number];
  /** Standard deviations of log tokens. */
  readonly prompt: number;
  readonly session: number;
  readonly astray: number;
  /** Share of sessions in which rules matter; their effect in these is as much larger. */
  readonly matters: number;
  /** Log tokens by which all sessions differ after the middle, and what remains of each effect. */
  readonly update: { readonly level: number; readonly remains: number } | null;
  /** Standard deviation of a slow drift of the level over 100 sessions. */
  readonly drift: number;
}

/** The issue's mix: 35 % to be had. */
export const mixOfIssue: readonly TrueRule[] = [0.2, 0.1, 0.05, 0, 0, 0, 0, -0.1].map((saves) => ({ saves }));
/** Two of eight save, three cost: 15 % to be had. */
export const bleakMix: readonly TrueRule[] = [0.1, 0.05, 0, 0, 0, -0.05, -0.1, -0.1].map((saves) => ({
  saves,
}));

const projects = { count: 4, deviation: 0.4 };
const undoneShare = 0.05;
/** Log tokens of a short question, less those of a usual prompt. */
const shortQuestion = -1.5;

export function mild(rules: readonly TrueRule[], sessions = 1000): WorkShape {
  const noise = { prompt: 0.9, session: 0.25, astray: 0.05 };
  return { rules, sessions, prompts: [5, 15], ...noise, matters: 1, update: null, drift: 0.05 };
}

/** Fewer prompts, heavier tails, an update of the model in the middle, and rules that matter in two of three sessions. */
export function hard(rules: readonly TrueRule[], sessions = 1000): WorkShape {
  const noise = { prompt: 1, session: 0.35, astray: 0.08 };
  return {
    rules,
    sessions,
    prompts: [2, 8],
    ...noise,
    matters: 0.65,
    update: { level: 0.2, remains: 0.9 },
    drift: 0.1,
  };
}

interface Step {
  readonly chances: readonly number[];
  readonly given: readonly boolean[];
}

export interface WorkLife {
  readonly sessions: readonly TriedSession[];
  readonly steps: readonly Step[];
}

const idOf = (place: number) => `r${place}`;

/** Gives the chances of the next session's rules, from the sessions so far. */
export type Policy = (
  sessions: readonly TriedSession[],
  ruleIds: readonly string[],
) => Map<string, number> | Promise<Map<string, number>>;

export async function workLife(
  shape: WorkShape,
  seed: number,
  policy: Policy,
  watch: (sessions: readonly TriedSession[]) => Promise<void> | void = () => undefined,
): Promise<WorkLife> {
  const random = seededRandom(seed);
  const levels = Array.from({ length: projects.count }, () => projects.deviation * random.normal());
  const ruleIds = shape.rules.map((_, place) => idOf(place));
  const sessions: TriedSession[] = [];
  const steps: Step[] = [];
  let drift = 0;
  for (let index = 0; index < shape.sessions; index += 1) {
    const chances = await policy(sessions, ruleIds);
    const given = new Set(ruleIds.filter((id) => random.next() < (chances.get(id) ?? 0)));
    drift += (shape.drift / 10) * random.normal();
    const isLate = index >= shape.sessions / 2;
    const project = random.below(projects.count);
    const hour = random.below(24);
    const promptChars = Math.round(Math.exp(5 + 1.2 * random.normal()));
    const matters = random.next() < shape.matters;
    const remains = isLate && shape.update !== null ? shape.update.remains : 1;
    let change = 0;
    let more = 0;
    for (const [place, rule] of shape.rules.entries()) {
      if (!given.has(idOf(place))) continue;
      if (matters) change += (remains * Math.log(1 - savesAt(rule, index, shape))) / shape.matters;
      more += rule.morePrompts ?? 0;
    }
    const mean =
      10 +
      (levels[project] ?? 0) +
      0.1 * Math.log(1 + promptChars) +
      0.15 * Math.sin((hour / 24) * 2 * Math.PI) +
      drift +
      (isLate ? (shape.update?.level ?? 0) : 0) +
      change +
      shape.session * random.normal() +
      (random.next() < shape.astray ? Math.log(1.5 - Math.log(1 - random.next())) : 0);
    const [fewest, spread] = shape.prompts;
    const usual = Array.from(
      { length: fewest + random.below(spread + 1) },
      () => mean + shape.prompt * random.normal(),
    );
    const short = Array.from({ length: more }, () => mean + shortQuestion + shape.prompt * random.normal());
    const logs = [...usual, ...short];
    const done = logs.filter(() => random.next() >= undoneShare);
    const completed = done.length;
    const meanLog = completed === 0 ? 0 : done.reduce((sum, log) => sum + log, 0) / completed;
    sessions.push({
      given,
      withheld: new Set([...chances.keys()].filter((id) => !given.has(id))),
      chances,
      known: {
        place: `p${project}`,
        branchKind: random.next() < 0.6 ? "feature" : "trunk",
        promptChars,
        hour,
      },
      completed,
      meanLog,
      squares: done.reduce((sum, log) => sum + (log - meanLog) ** 2, 0),
      logTotal: Math.log(logs.reduce((sum, log) => sum + Math.exp(log), 0)),
      undone: logs.length - completed,
      heard: logs.length,
      corrections: 0,
    });
    steps.push({
      chances: ruleIds.map((id) => chances.get(id) ?? 0),
      given: ruleIds.map((id) => given.has(id)),
    });
    await watch(sessions);
  }
  return { sessions, steps };
}

function savesAt({ saves, then }: TrueRule, index: number, { turnsAt = Infinity }: WorkShape): number {
  return index >= turnsAt ? (then ?? saves) : saves;
}

/** The product's draws: rules by their chance to save, and harmful ones switched off, as their owner agreed. */
export function adaptivePolicy(ruleIds: readonly string[], holdOut?: number): Policy {
  let chances = new Map(ruleIds.map((id) => [id, 0.5]));
  return (sessions) => {
    if (sessions.length > 0 && sessions.length % sessionsPerUpdate === 0) {
      const on = [...chances.keys()];
      chances = new Map(
        believe(sessions, ruleIds).flatMap((belief) =>
          on.includes(belief.ruleId) && !isHarmful(belief)
            ? [[belief.ruleId, chanceOf(belief, holdOut)]]
            : [],
        ),
      );
    }
    return chances;
  };
}

/** Before: half and half for 200 sessions, and what is said to save by then is kept. */
export function trialPolicy(ruleIds: readonly string[]): Policy {
  const half = new Map(ruleIds.map((id) => [id, 0.5]));
  let kept: Map<string, number> | undefined;
  return async (sessions) => {
    if (sessions.length < 200) return half;
    if (kept === undefined) {
      const found: RuleFinding[] = await analyseTrial(sessions, { ruleIds, planned: 200, alpha: 0.05 });
      kept = new Map(
        ruleIds.map((id) => [
          id,
          Number(found.some(({ ruleId, verdict }) => ruleId === id && verdict === "saves")),
        ]),
      );
    }
    return kept;
  };
}

/** Saved shares, added up over rules, in the mean over sessions. */
function savedShare(shape: WorkShape, { steps }: WorkLife): number {
  let sum = 0;
  for (const [index, { given }] of steps.entries())
    for (const [place, rule] of shape.rules.entries())
      if (given[place] === true) sum += savesAt(rule, index, shape);
  return sum / steps.length;
}

/** Lines of `drawnRules`. */
export const linesOfDraws: readonly Line[] = [
  { key: "saved", name: "saved of all tokens", unit: "percent" },
  { key: "harmful", name: "rules that cost: on at the end" },
  { key: "tokens", name: "tokens for benchmarks", unit: "millions" },
];

/** One life of rules on real work: what they save in the mean, and which harmful ones more than half of the last session's draws include. */
export async function drawnRules(shape: WorkShape, seed: number, policyOf = adaptivePolicy) {
  const ruleIds = shape.rules.map((_, place) => idOf(place));
  const life = await workLife(shape, seed, policyOf(ruleIds));
  const last = life.steps.at(-1);
  return {
    saved: savedShare(shape, life),
    harmful: shape.rules.flatMap(({ saves }, place) =>
      saves < 0 ? [(last?.chances[place] ?? 0) > 0.5] : [],
    ),
    tokens: 0,
  };
}

/** Sessions between looks of a person. */
const lookEvery = 25;

/** One life of rules on real work that somebody looks at often: what is ever said of each, and if its interval holds at the end. */
export async function claimedRules(shape: WorkShape, seed: number) {
  const ruleIds = shape.rules.map((_, place) => idOf(place));
  const said = new Set<string>();
  let last: readonly RuleFinding[] = [];
  await workLife(shape, seed, adaptivePolicy(ruleIds), async (sessions) => {
    if (sessions.length % lookEvery !== 0) return;
    const question = { ruleIds, planned: shape.sessions, alpha: usualAlpha, isAdaptive: true };
    last = await analyseTrial(sessions, question);
    for (const { ruleId, verdict } of last) said.add(`${ruleId} ${verdict}`);
  });
  const are = (isOne: (rule: TrueRule) => boolean, verdict: string) =>
    shape.rules.flatMap((rule, place) => (isOne(rule) ? [said.has(`${idOf(place)} ${verdict}`)] : []));
  return {
    useless: are(({ saves }) => saves === 0, "saves"),
    harmful: are(({ saves }) => saves < 0, "saves"),
    saver: are(({ saves }) => saves >= 0.2, "saves"),
    holds: last.flatMap(({ saving }, place) => {
      const { saves = 0 } = shape.rules[place] ?? {};
      return saving === null ? [] : [saving.low <= saves && saves <= saving.high];
    }),
  };
}
