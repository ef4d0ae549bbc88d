import { sha256Hex } from "../../base/hash.ts";
import { plainSentence, sentence } from "../../base/language.ts";
import { configurationHash } from "../../bench/configuration.ts";
import { measuresModel, type BenchRun } from "../../bench/run-facts.ts";
import { fixtureHashOf, suiteHash } from "../../bench/suite.ts";
import {
  runJointExperiment,
  type JointProgress,
  type JointRequest,
  type RoundPlan,
} from "../../verdict/joint.ts";
import type { Worth } from "../../verdict/worth.ts";
import type { ExperimentEnd } from "../../verdict/measure-pair.ts";
import { sealReceipt, type Receipt } from "../../verdict/receipt.ts";
import {
  figuresOfVerdict,
  countedEvidence,
  evidenceFor,
  nextSequence,
  plannedRoundsOf,
  poolEvidence,
  programOf,
  type Evidence,
  type EvidenceKey,
  type Present,
} from "../../verdict/evidence.ts";
import { sideFigures } from "../../verdict/statistics.ts";
import { type Question, jointQuestion } from "../../verdict/verdict.ts";
import { ruleText, type Rule } from "../rule.ts";
import type { RuleBench, SelectPorts, SelectRequest } from "../rules-selection.ts";
import { evidenceId, type RuleGroup } from "./group.ts";
import { lookedFirst } from "./batches.ts";
import { expectationAfter, worthOf } from "./worth-of-rules.ts";
import { designSides, jointRunsOf, type DesignedSides } from "./sides.ts";

export interface GroupRequest {
  readonly request: SelectRequest;
  readonly group: RuleGroup;
  readonly rules: readonly Rule[];
  /** Processing tokens; null for no cap. */
  readonly room: number | null;
  /** Expected processing tokens of one round; null if unknown. */
  readonly ofRound: number | null;
}

export interface GroupOutcome {
  readonly end: ExperimentEnd;
  /** Processing tokens. */
  readonly tokensSpent: number;
}

interface MadeRound {
  readonly runs: readonly BenchRun[];
  readonly sides: DesignedSides;
  /** Ids. */
  readonly open: readonly string[];
}

/**
 * Measures a group of rules with the same runs, and writes a receipt for each as soon as it is settled. A rule that was
 * settled before an interruption is not settled again.
 */
export async function measureGroup(
  asked: GroupRequest,
  ports: SelectPorts,
  signal: AbortSignal,
): Promise<GroupOutcome> {
  const { request, group, rules, room, ofRound } = asked;
  const { suite, agent } = request;
  const tasks = suite.tasks.filter((task) => task.agent === agent);
  const weights = new Map(tasks.map(({ id, weight }) => [id, weight]));
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const measured = group.rules.flatMap(({ id, isAudit, bar }) => {
    const rule = byId.get(id);
    return rule === undefined
      ? []
      : [{ rule, isAudit, ...questionOf(asked, group.at ?? ports.now(), { rule, isAudit, bar }) }];
  });
  const rounds: MadeRound[] = [];
  const benches = new BenchNames(group.id);
  const round = async (plan: RoundPlan, stop: AbortSignal) => {
    const { bench, sides } = benchOfRound(asked, plan, benches.nameOf(plan));
    const made = await ports.round(bench, plan.round, stop);
    if (made.kind !== "made") return made;
    rounds.push({ runs: made.runs, sides, open: plan.open });
    return { kind: "made" as const, runs: jointRunsOf(made.runs, sides, weights) };
  };
  const worth = worthOf(
    request,
    measured.map(({ rule }) => rule),
    ports,
  );
  const candidates = new Map(
    measured.flatMap(({ rule, isAudit, question }) => (isAudit ? [] : [[rule.id, question] as const])),
  );
  const enough: NonNullable<JointRequest["enough"]> = (open, tokensOfRound) => {
    worth.see(open);
    const waiting = open.flatMap(({ id }) => (candidates.has(id) ? [id] : []));
    const left = Math.max(...waiting.map((id) => candidates.get(id)?.maxRounds ?? 0)) - rounds.length;
    return worth.isEnough(waiting, { tokensOfRound, maxRounds: left }) ? waiting : [];
  };
  const isRecorded = new Set(request.evidence.map(({ id }) => id));
  const outcome = await runJointExperiment(
    {
      subjects: measured.map(({ rule, question, pooled }) => ({ id: rule.id, question, pooled })),
      tokenCap: room,
      expectedTokens: ofRound,
      enough,
    },
    {
      round,
      onProgress: (allProgress) => {
        for (const { id, ...experiment } of allProgress) {
          const place = group.rules.findIndex((rule) => rule.id === id) + 1;
          ports.onProgress({ ruleId: id, place, of: group.rules.length, experiment });
        }
      },
      onSettled: async (progress) => {
        const subject = measured.find(({ rule }) => rule.id === progress.id);
        if (subject === undefined) return { isKept: false };
        const { rule, isAudit, question, key, all, present } = subject;
        const id = evidenceId(group, rule.id);
        // An active rule stays in the memory that all others are measured with until it is evicted.
        const isKept = progress.verdict.kind === "saves" || (isAudit && !isShownWorse(progress));
        if (isRecorded.has(id)) return { isKept };
        const at = ports.now();
        const { kind, plannedRounds, maxRounds } = question;
        const evidence = {
          ...key,
          id,
          at,
          samples: progress.samples,
          kind,
          plannedRounds: plannedRounds ?? maxRounds,
          sequence: nextSequence(all, rule.id),
          program: programOf(progress.samples),
        };
        const counted = countedEvidence({ all, key, present, from: progress.from, own: progress.samples });
        const receipt = receiptOf(
          { request, rule, id, at, question, progress, counted, rounds, worth },
          ports,
        );
        await ports.settle({ rule, receipt, evidence });
        return { isKept };
      },
    },
    signal,
  );
  return { end: outcome.end, tokensSpent: outcome.tokensSpent };
}

/** Returns what a round of a group is made with: nothing else decides about its runs. */
export function benchOfRound(
  { request, group, rules }: Pick<GroupRequest, "request" | "group" | "rules">,
  { open, kept }: Pick<RoundPlan, "open" | "kept">,
  benchId: string,
): { readonly bench: RuleBench; readonly sides: DesignedSides } {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const chosen = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const others = group.active.flatMap(({ id, saving }) =>
    chosen([id]).map((rule): Rule => ({ ...rule, saving })),
  );
  const { agent, model, effort = null } = request;
  const sides = designSides({
    own: { agent, model, effort },
    open: chosen(open),
    kept: chosen(kept),
    others,
    salt: benchId,
  });
  return { bench: { benchId, configurations: sides.configurations, design: "pairs" }, sides };
}

/** Everything besides the rules that decides how a run goes. */
export function keyOf(request: SelectRequest): string {
  const { suite, agent, driver } = request;
  return [suiteHash(suite, agent), measuredWith(request), driver].join(" ");
}

export function measuredWith({ model, effort = null }: Pick<SelectRequest, "model" | "effort">): string {
  return effort === null ? model : `${model}, effort ${effort}`;
}

function isShownWorse({ verdict }: JointProgress): boolean {
  return verdict.belowBar || verdict.kind === "costs" || verdict.kind === "regression";
}

/** Names a bench for each set of rules: a folder holds only runs of the same configurations. */
class BenchNames {
  readonly #group: string;
  #count = 0;
  #last = "";

  constructor(group: string) {
    this.#group = group;
  }

  nameOf({ open, kept }: RoundPlan): string {
    const words = JSON.stringify([open, kept]);
    if (words !== this.#last) this.#count += 1;
    this.#last = words;
    return `${this.#group}.${this.#count}`;
  }
}

interface RuleQuestion {
  readonly question: Question;
  readonly key: EvidenceKey;
  /** Evidence from before the group's start. */
  readonly all: readonly Evidence[];
  readonly present: Present;
  readonly pooled: ReturnType<typeof poolEvidence>;
}

function questionOf(
  { request, group }: GroupRequest,
  now: number,
  { rule, isAudit, bar }: { readonly rule: Rule; readonly isAudit: boolean; readonly bar: number },
): RuleQuestion {
  const { suite, agent, driver, evidence } = request;
  const key = {
    ruleId: rule.id,
    suiteHash: suiteHash(suite, agent),
    model: measuredWith(request),
    driver,
    beside: group.active.map(({ id }) => id).sort(),
  };
  const known = new Set(group.evidence);
  const all = evidence.filter(({ id }) => known.has(id));
  const present = { now, dealt: group.rules.map(({ id }) => id) };
  const earlier = evidenceFor(all, key, present);
  const { affordable, firstLook, rules } = group;
  const count = Math.max(1, rules.filter((each) => !each.isAudit).length);
  const usual = jointQuestion(isAudit ? "re-audit" : "candidate", bar, { count, affordable });
  const plannedRounds = plannedRoundsOf(earlier, { kind: usual.kind, planned: usual.plannedRounds });
  const question = { ...lookedFirst(usual, firstLook ?? null), plannedRounds };
  return { question, key, all, present, pooled: poolEvidence(all, key, present) };
}

interface Written {
  readonly request: SelectRequest;
  readonly rule: Rule;
  readonly id: string;
  readonly at: number;
  readonly question: Question;
  readonly progress: JointProgress;
  readonly counted: NonNullable<Receipt["evidence"]>;
  readonly rounds: readonly MadeRound[];
  readonly worth: Worth;
}

function receiptOf(
  { request, rule, id, at, question, progress, counted, rounds, worth }: Written,
  ports: SelectPorts,
): Receipt {
  const { agent, suite, driver, seed, model, effort = null } = request;
  const own = rounds.filter(({ open }) => open.includes(rule.id));
  const runs = own.flatMap(({ runs: made, sides }) =>
    made.map((run) => ({ ...run, side: sides.rulesOf[run.side]?.includes(rule.id) === true ? 1 : 0 })),
  );
  const figures = figuresOfVerdict(sideFigures(runs), progress.verdict);
  const side = (index: 0 | 1): Receipt["sides"][0] => ({
    label: index === 0 ? sentence("without the rule") : sentence("with the rule"),
    configurationHash: hashOf(own, rule.id, index === 1),
    model,
    effort,
    figures: figures?.[index] ?? null,
  });
  // The rules measured in a round share its cost equally.
  const part = (value: (run: BenchRun) => number) =>
    Math.round(own.reduce((sum, { runs: made, open }) => sum + total(made, value) / open.length, 0));
  const [tokens, whole] = [part((run) => run.processingTokens), total(runs, (run) => run.processingTokens)];
  const usd = measuresModel(driver) ? ports.price(runs) : null;
  const { verdict } = progress;
  const spent = { tokens, ms: part((run) => run.durationMs) };
  const expected = expectationAfter(worth, { request, rule, verdict, ...spent }, ports);
  return sealReceipt({
    version: 1,
    id: `${id}.receipt`,
    subject: { kind: "rule", id: rule.id, title: plainSentence(ruleText(rule)) },
    at,
    agent,
    sides: [side(0), side(1)],
    question,
    verdict: progress.verdict,
    tasks: suite.tasks
      .filter((task) => task.agent === agent)
      .map(({ id: task, hash }) => ({ id: task, hash })),
    suiteHash: suiteHash(suite, agent),
    fixtureHash: fixtureHashOf(suite, agent),
    seed,
    driver,
    rounds: { own: progress.rounds, pooled: progress.pooledRounds, from: [...progress.from] },
    ...(counted.since === null && counted.leftOut.length === 0 ? {} : { evidence: counted }),
    recordedBy: [...new Set(runs.flatMap(({ recordedBy }) => recordedBy ?? []))],
    spent: {
      runs: runs.length,
      processingTokens: tokens,
      cacheRead: part((run) => run.usage.cacheRead),
      usd: usd === null || whole === 0 ? null : (usd * tokens) / whole,
    },
    ...(expected === null ? {} : { expected }),
    together: [...new Set(own.flatMap(({ open }) => open))].filter((other) => other !== rule.id),
  });
}

/** Hashes all configurations that had the rule, or all that did not. */
function hashOf(rounds: readonly MadeRound[], ruleId: string, isWith: boolean): string {
  const hashes = rounds.flatMap(({ sides }) =>
    sides.configurations
      .filter((_, index) => (sides.rulesOf[index] ?? []).includes(ruleId) === isWith)
      .map(configurationHash),
  );
  const words = [...new Set(hashes)].sort().join("\n");
  return sha256Hex(words);
}

function total(runs: readonly BenchRun[], value: (run: BenchRun) => number): number {
  return runs.reduce((sum, run) => sum + value(run), 0);
}
