import type { Sentence } from "../base/language.ts";
import type { Configuration } from "../bench/configuration.ts";
import type { BenchRun, DriverName } from "../bench/run-facts.ts";
import type { Suite } from "../bench/suite.ts";
import type { ExperimentProgress, RoundRuns } from "../verdict/measure-pair.ts";
import type { Evidence } from "../verdict/evidence.ts";
import type { Receipt } from "../verdict/receipt.ts";
import type { Use } from "../verdict/worth.ts";
import type { Rule, Audits } from "./rule.ts";
import type { GroupStore } from "./together/group.ts";
import type { FoundStore, SetOutcome, SettledSet } from "./together/set.ts";

export interface RuleBench {
  /** Name of its bench: repeating it resumes where it stopped. */
  readonly benchId: string;
  readonly configurations: readonly Configuration[];
  /** `pairs`: each task runs one pair of configurations a round. */
  readonly design?: "pairs";
}

export interface SelectRequest {
  readonly id: string;
  readonly agent: string;
  readonly suite: Suite;
  readonly rules: readonly Rule[];
  /** Measures only these; null for the order of `selectionOrder`. */
  readonly ruleIds: readonly string[] | null;
  /** Number of active rules to re-audit if none are named. */
  readonly audits: Audits;
  readonly model: string;
  /** Effort of both sides. Absent for the agent's own. */
  readonly effort?: string | null;
  readonly driver: DriverName;
  readonly seed: number;
  /**
   * For a seed chosen by a person: rounds before the first look, null for half of the planned ones. Parts of
   * these rounds may come from other machines.
   */
  readonly draw?: { readonly rounds: number | null } | null;
  /** Limit for the whole selection, in processing tokens. Null for none. */
  readonly tokenCap: number | null;
  /** Expected processing tokens per run; null if unknown. */
  readonly tokensPerRun: number | null;
  readonly evidence: readonly Evidence[];
  /** What a rule would be used for, until the next model. Absent where it is not known. */
  readonly use?: Use | null;
  /** `worth`: a rule is measured as long as that is expected to pay. By default until it is proved. */
  readonly grade?: "worth" | "proved";
  /** Measures no rule by itself: only confirms, as a whole, those that passed and wait for the user. */
  readonly isConfirming?: boolean;
}

export interface SelectPorts {
  readonly round: (bench: RuleBench, round: number, signal: AbortSignal) => Promise<RoundRuns>;
  /** The group of rules that is measured with the same runs. */
  readonly group: GroupStore;
  /** Tokens per conversation. */
  readonly rent: (rule: Rule) => number;
  readonly now: () => number;
  /** Price of runs by list price, in USD, or null. */
  readonly price: (runs: readonly BenchRun[]) => number | null;
  readonly onProgress: (progress: SelectProgress) => void;
  /**
   * Stores a rule's result before the next rule is measured. Returns the rule in its new state, so that the
   * next one is measured with the rules that are active by then. With `sets`, a rule that shared its runs is
   * admitted only by a person until the set is confirmed.
   */
  readonly settle: (settled: SettledRule) => Promise<Rule>;
  /** Absent where rules that were found with the same runs are not confirmed as a whole. */
  readonly sets?: SetPorts;
}

export interface SetPorts {
  /** Rules that were found with the same runs and are not confirmed yet. */
  readonly found: FoundStore;
  /** The newest receipt of each of these rules that has one. */
  readonly receipts: (ruleIds: readonly string[]) => Promise<ReadonlyMap<string, Receipt>>;
  readonly onProgress: (progress: SetProgress) => void;
  /** Stores what the rules that were found do as a whole; lets them in, or takes them back, as it decides. */
  readonly confirm: (settled: SettledSet) => Promise<void>;
  /** Admits a rule that was found alone, if no consent is needed. */
  readonly letIn: (ruleId: string) => Promise<void>;
}

interface SelectProgress {
  readonly ruleId: string;
  /** Position among the rules of this selection, from 1. */
  readonly place: number;
  readonly of: number;
  readonly experiment: ExperimentProgress;
}

interface SetProgress {
  /** Ids of the rules that would become active. */
  readonly found: readonly string[];
  readonly experiment: ExperimentProgress;
}

export interface SettledRule {
  readonly rule: Rule;
  readonly receipt: Receipt;
  /** Samples, to be pooled with later measurements. */
  readonly evidence: Evidence;
}

export type SelectEnd =
  | { readonly kind: "done" }
  | { readonly kind: "paused"; readonly detail: Sentence }
  | { readonly kind: "cancelled" }
  /** The token cap is reached; `left` rules were not measured. */
  | { readonly kind: "cap"; readonly left: number };

export interface SelectOutcome {
  readonly end: SelectEnd;
  readonly settled: readonly SettledRule[];
  /** Effect of the found rules as a whole. Null if there were fewer than two, or if it was interrupted. */
  readonly set: SetOutcome | null;
  /** Processing tokens. */
  readonly tokensSpent: number;
}
