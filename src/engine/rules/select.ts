import type { BenchRun, DriverName } from "../bench/run-facts.ts";
import { suiteHash, type Suite } from "../bench/suite/suite.ts";
import type { ExperimentProgress } from "../verdict/experiment.ts";
import { measurePair, type RoundRuns } from "../verdict/measure-pair.ts";
import type { Evidence } from "../verdict/statistics/pool.ts";
import type { Receipt } from "../verdict/receipt/receipt.ts";
import { usualQuestion } from "../verdict/usual-question.ts";
import type { Audits } from "./audits.ts";
import { rentFactor } from "./rent.ts";
import { selectionOrder } from "./action.ts";
import { pairOf, type RulePair } from "./pair.ts";
import { ruleText, type Rule } from "./rule.ts";

export interface SelectRequest {
  readonly id: string;
  readonly agent: string;
  readonly suite: Suite;
  /** All existing rules. */
  readonly rules: readonly Rule[];
  /** Measures only these; null for the order of `selectionOrder`. */
  readonly ruleIds: readonly string[] | null;
  /** How many active rules are re-audited when none are named. */
  readonly audits: Audits;
  readonly model: string;
  /** Effort of both sides; the agent's own if absent. */
  readonly effort?: string | null;
  readonly driver: DriverName;
  readonly seed: number;
  /** Limit for the whole selection, in processing tokens; null for none. */
  readonly tokenCap: number | null;
  /** Expected processing tokens per run; null if unknown. */
  readonly tokensPerRun: number | null;
  /** Evidence of earlier selections. */
  readonly evidence: readonly Evidence[];
}

export interface SelectPorts {
  /** Runs one round of a pair: each task once per side. */
  readonly round: (pair: RulePair, round: number, signal: AbortSignal) => Promise<RoundRuns>;
  /** Tokens per conversation. */
  readonly rent: (rule: Rule) => number;
  readonly now: () => number;
  /** Price of runs by list price, in USD, or null. */
  readonly price: (runs: readonly BenchRun[]) => number | null;
  readonly onProgress: (progress: SelectProgress) => void;
  /**
   * Stores a rule's result before the next rule is measured. Returns the rule in its new state, so that the next one is measured with
   * the rules that are active by then.
   */
  readonly settle: (settled: SettledRule) => Promise<Rule>;
}

interface SelectProgress {
  readonly ruleId: string;
  /** Position among the rules of this selection, from 1. */
  readonly place: number;
  readonly of: number;
  readonly experiment: ExperimentProgress;
}

interface SettledRule {
  readonly rule: Rule;
  readonly receipt: Receipt;
  /** Samples, to be pooled with later measurements. */
  readonly evidence: Evidence;
}

export type SelectEnd =
  | { readonly kind: "done" }
  | { readonly kind: "paused"; readonly detail: string }
  | { readonly kind: "cancelled" }
  /** The token cap is reached; `left` rules were not measured. */
  | { readonly kind: "cap"; readonly left: number };

export interface SelectOutcome {
  readonly end: SelectEnd;
  readonly settled: readonly SettledRule[];
  /** Processing tokens. */
  readonly tokensSpent: number;
}

/** Returns the rules that a selection would measure, in order. */
export function rulesToMeasure({
  rules,
  agent,
  ruleIds,
  audits,
}: Pick<SelectRequest, "rules" | "agent" | "ruleIds" | "audits">): Rule[] {
  const all = selectionOrder(rules, agent);
  if (ruleIds !== null) return all.filter(({ id }) => ruleIds.includes(id));
  const [waiting, active] = [all.filter(isApproved), all.filter((rule) => !isApproved(rule))];
  return [...waiting, ...(audits === "all" ? active : active.slice(0, audits))];
}

function isApproved({ status }: Rule): boolean {
  return status === "approved";
}

/** Measures an agent's rules one after the other: each with and without it, beside the active rules. */
export async function selectRules(
  request: SelectRequest,
  ports: SelectPorts,
  signal: AbortSignal,
): Promise<SelectOutcome> {
  const wanted = rulesToMeasure(request);
  const settled: SettledRule[] = [];
  let rules = request.rules;
  let tokensSpent = 0;
  const endAs = (end: SelectEnd): SelectOutcome => ({ end, settled, tokensSpent });
  for (const [index, rule] of wanted.entries()) {
    if (signal.aborted) return endAs({ kind: "cancelled" });
    const room = request.tokenCap === null ? null : request.tokenCap - tokensSpent;
    const runs = sum(settled.map(({ receipt }) => receipt.spent.runs));
    // Its own runs estimate better than the expectation.
    const perRun = runs === 0 ? request.tokensPerRun : tokensSpent / runs;
    const ofRound = perRun === null ? null : perRun * 2 * tasksOf(request).length;
    if (room !== null && room < (ofRound ?? 1)) return endAs({ kind: "cap", left: wanted.length - index });
    const measured = await measure(
      { request, rule, rules, room, ofRound, position: index + 1, of: wanted.length },
      ports,
      signal,
    );
    tokensSpent += measured.tokensSpent;
    if (measured.settled !== null) {
      settled.push(measured.settled);
      const now = await ports.settle(measured.settled);
      rules = rules.map((each) => (each.id === now.id ? now : each));
    }
    if (measured.end.kind !== "finished") return endAs(measured.end);
  }
  return endAs({ kind: "done" });
}

interface Turn {
  readonly request: SelectRequest;
  readonly rule: Rule;
  readonly rules: readonly Rule[];
  readonly room: number | null;
  /** Expected tokens of one round. */
  readonly ofRound: number | null;
  readonly position: number;
  readonly of: number;
}

async function measure(turn: Turn, ports: SelectPorts, signal: AbortSignal) {
  const { request, rule, position, of } = turn;
  const { suite, agent, driver, seed, evidence } = request;
  const pair = pairOf(turn);
  const isAudit = rule.status === "active";
  const { end, tokensSpent, settled } = await measurePair(
    {
      id: pair.benchId,
      configurations: pair.configurations,
      suite,
      driver,
      seed,
      evidence,
      subject: { kind: "rule", id: rule.id, title: ruleText(rule) },
      // The same question as in `npm run bench:verdicts`, so that its simulated figures describe this procedure.
      question: usualQuestion(isAudit ? "re-audit" : "candidate", rentFactor * ports.rent(rule), turn.room),
      // A re-audit, too, is judged with all evidence: each adds at least one round of its own, and the error rate covers all looks.
      key: { ruleId: rule.id, suiteHash: suiteHash(suite, agent), model: measuredWith(request), driver },
      tokensPerRound: turn.ofRound,
    },
    {
      round: (number, stop) => ports.round(pair, number, stop),
      onProgress: (experiment) => ports.onProgress({ ruleId: rule.id, place: position, of, experiment }),
      now: ports.now,
      price: ports.price,
    },
    signal,
  );
  return { end, tokensSpent, settled: settled === null ? null : { rule, ...settled } };
}

/** Measurements with another effort are no evidence for this one. */
function measuredWith({ model, effort = null }: SelectRequest): string {
  return effort === null ? model : `${model}, effort ${effort}`;
}

function tasksOf({ suite, agent }: SelectRequest): Suite["tasks"] {
  return suite.tasks.filter((task) => task.agent === agent);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
