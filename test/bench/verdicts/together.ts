import { orthogonalRows } from "../../../src/engine/verdict/orthogonal-rows.ts";
import {
  runJointExperiment,
  type JointOutcome,
  type JointProgress,
  type JointSubject,
} from "../../../src/engine/verdict/joint.ts";
import { runExperiment } from "../../../src/engine/verdict/measure-pair.ts";
import { setQuestion } from "../../../src/engine/rules/together/confirm-set.ts";
import { admit, confirm, retain, type SetDecision } from "../../../src/engine/verdict/retention.ts";
import { poolEvidence, type Evidence } from "../../../src/engine/verdict/statistics/pool.ts";
import { jointQuestion } from "../../../src/engine/verdict/verdict.ts";
import { seededRandom } from "../../engine/support/seeded-random.ts";
import { makeJointWorld, taskSizes, type JointShape } from "./joint-world.ts";

/** Of a round: each task twice. */
const expectedTokens = 2 * taskSizes.reduce((sum, size) => sum + size, 0);

/** Tokens a run must save: twice the rent of a rule of 25 tokens. */
export const bar = 54;

/** A share that no rule is given up for not saving. */
const leastWorth = -1;

/** The outcomes of one life's rules, by their indices. */
export interface JointLife {
  /** Candidates: admitted; active rules: evicted. */
  readonly decided: readonly boolean[];
  /** Whether the interval at a rule's end misses what it truly saves. */
  readonly missed: readonly boolean[];
  /** Processing tokens. */
  readonly tokens: number;
  /**
   * For candidates: the reported effect of their set, measured as a whole. Null if fewer than two were
   * admitted.
   */
  readonly set: SimulatedSet | null;
}

interface SimulatedSet {
  readonly decision: SetDecision;
  /** Processing tokens. */
  readonly tokens: number;
}

/**
 * Rules that wait, measured with the same runs.
 * @param tokenCap processing tokens of all together
 * @param isPatient whether no rule is given up before the end of its plan, unless it is shown to save too little
 */
export async function candidatesLife(
  shape: JointShape,
  seed: number,
  { tokenCap, isPatient = false }: { readonly tokenCap: number | null; readonly isPatient?: boolean },
): Promise<JointLife> {
  const world = makeJointWorld(shape, seed);
  const decided = shape.saves.map(() => false);
  const missed = shape.saves.map(() => false);
  const affordable = tokenCap === null ? null : tokenCap / expectedTokens;
  const subjects = shape.saves.map((_, place) => ({
    id: String(place),
    question: {
      ...jointQuestion("candidate", bar, { count: shape.saves.length, affordable }),
      ...(isPatient ? { worth: leastWorth } : {}),
    },
    pooled: [],
  }));
  const { tokensSpent } = await run({ subjects, world, seed, tokenCap }, ({ id, verdict }) => {
    const isAdmitted = admit(verdict).action === "activate";
    decided[Number(id)] = isAdmitted;
    const [share, truth] = [verdict.savingShare, shape.saves[Number(id)] ?? 0];
    missed[Number(id)] = share !== null && (share.low > truth || share.high < truth);
    return isAdmitted;
  });
  const found = decided.flatMap((is, place) => (is ? [place] : []));
  const set = found.length < 2 ? null : await wholeSet(found, { shape, seed });
  return { decided, missed, tokens: tokensSpent, set };
}

/** All rules that were admitted against none of them, as a selection confirms them. */
async function wholeSet(
  found: readonly number[],
  { shape, seed }: { readonly shape: JointShape; readonly seed: number },
): Promise<SimulatedSet> {
  const world = makeJointWorld(shape, seed * 17 + 3);
  const question = setQuestion(bar * found.length, { room: null, ofRound: expectedTokens });
  const { verdict, tokensSpent } = await runExperiment(
    { question, pooled: [], stored: [], expectedTokens },
    {
      round: (round) => {
        const samples = taskSizes.flatMap((_, task) =>
          ([0, 1] as const).map((side) => {
            const made = world({ round, task, rules: side === 1 ? found : [] });
            return { taskId: `task-${task}`, weight: 1, side, round, ...made };
          }),
        );
        return Promise.resolve({ kind: "made", samples });
      },
    },
    new AbortController().signal,
  );
  return { decision: confirm(verdict), tokens: tokensSpent };
}

/** Active rules, all audited with the same runs, once a day. @param tokenCap processing tokens of one audit */
export async function auditsLife(
  shape: JointShape,
  seed: number,
  { audits, tokenCap }: { readonly audits: number; readonly tokenCap: number },
): Promise<JointLife> {
  const world = makeJointWorld(shape, seed);
  const decided = shape.saves.map(() => false);
  const strikes = shape.saves.map(() => 0);
  const kept: Evidence[] = [];
  const key = { suiteHash: "suite", model: "model", driver: "claude" };
  let tokens = 0;
  for (let day = 1; day <= audits; day += 1) {
    const active = shape.saves.map((_, place) => place).filter((place) => decided[place] === false);
    const subjects = active.map((place): JointSubject => {
      const ruleId = String(place);
      return {
        id: ruleId,
        question: jointQuestion("re-audit", bar, { count: active.length, affordable: null }),
        pooled: poolEvidence(kept, { ...key, ruleId }),
      };
    });
    const { tokensSpent } = await run(
      { subjects, world, seed: seed * 64 + day, tokenCap },
      ({ id, verdict, samples }) => {
        kept.push({ ...key, ruleId: id, id: `${day}-${id}`, at: day, samples, kind: "re-audit" });
        const { action, strikes: now } = retain(verdict, strikes[Number(id)] ?? 0);
        strikes[Number(id)] = now;
        decided[Number(id)] = action === "evict";
        return action !== "evict";
      },
    );
    tokens += tokensSpent;
  }
  return { decided, missed: shape.saves.map(() => false), tokens, set: null };
}

interface Asked {
  readonly subjects: readonly JointSubject[];
  readonly world: ReturnType<typeof makeJointWorld>;
  readonly seed: number;
  readonly tokenCap: number | null;
}

/** @param settle returns whether further runs have the rule */
async function run(
  { subjects, world, seed, tokenCap }: Asked,
  settle: (progress: JointProgress) => boolean,
): Promise<JointOutcome> {
  const draw = seededRandom(seed * 31 + 7);
  const deal = dealer(draw);
  return await runJointExperiment(
    { subjects, tokenCap, expectedTokens },
    {
      round: ({ round, open, kept }) => {
        const runs = taskSizes.flatMap((_, task) => {
          const signs = deal(open);
          return ([1, -1] as const).map((half) => {
            const rules = [...open.filter((__, index) => signs[index] === half), ...kept];
            const made = world({ round, task, rules: rules.map(Number) });
            return { taskId: `task-${task}`, weight: 1, round, rules, ...made };
          });
        });
        return Promise.resolve({ kind: "made", runs });
      },
      onSettled: (progress) => Promise.resolve({ isKept: settle(progress) }),
    },
    new AbortController().signal,
  );
}

/** Deals the rows of the orthogonal array for the open rules, each once in a block, in random order and with random signs. */
function dealer(draw: ReturnType<typeof seededRandom>): (open: readonly string[]) => readonly number[] {
  let rows: (readonly number[])[] = [];
  let dealtFor = "";
  return (open) => {
    const names = open.join();
    if (rows.length === 0 || names !== dealtFor) {
      dealtFor = names;
      const columns = draw.shuffled(open.map((_, index) => index));
      const flips = open.map(() => (draw.next() < 0.5 ? 1 : -1));
      rows = draw
        .shuffled(orthogonalRows(open.length))
        .map((row) => columns.map((column, index) => (row[column] ?? 1) * (flips[index] ?? 1)));
    }
    return rows.shift() ?? [];
  };
}
