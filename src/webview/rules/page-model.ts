import type { JobSummary } from "../../engine/jobs/answers/bench.ts";
import type { RulesView } from "../../engine/rules/answers.ts";
import type { SelectAsk } from "../../engine/jobs/answers/select.ts";
import type {
  EvidenceMessage,
  HostMessage,
  LearningMessage,
  OfferMessage,
  PanelState,
  PlanMessage,
  UnreachedMessage,
} from "./protocol.ts";

/** All that the panel knows. It changes only by `heard` and `with…` of `model.ts`; what is shown is made of it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly view: RulesView | null;
  readonly evidence: EvidenceMessage | null;
  readonly learning: LearningMessage | null;
  /** Agents that no rule reaches. */
  readonly unreached: UnreachedMessage["agents"];
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** What was done last, in a sentence. */
  readonly done: string;
  /** Something was asked for that is not done yet. */
  readonly isBusy: boolean;
  /** The decision that is asked for. */
  readonly deciding: Deciding | null;
  /** The rule that was decided last: that can be undone from anywhere. */
  readonly decided: string | null;
  /** What is being written: a reason to reject, or another sentence. */
  readonly writing: { readonly id: string; readonly kind: "reject" | "edit"; readonly text: string } | null;
  /** Selections, the newest first. */
  readonly jobs: readonly JobSummary[];
  /** Null until it is known what the agent's rules that are looked at can be measured with. */
  readonly offer: OfferMessage | null;
  /** What was chosen of it. */
  readonly form: SelectionForm | null;
  readonly plan: PlanMessage | null;
}

/** A decision that the service was told of and has not answered yet. */
export interface Deciding {
  readonly id: string;
  /** The other rules that waited for a decision, those below it in the list first. */
  readonly others: readonly string[];
}

/** What a person chose of how an agent's rules are measured. */
export interface SelectionForm {
  readonly agent: string;
  readonly driver: SelectAsk["driver"];
  /** The active rule that was measured longest ago is measured again, after the approved ones. */
  readonly hasAudits: boolean;
  /** Processing tokens it may spend in all; null for no cap. */
  readonly tokenCap: number | null;
}
