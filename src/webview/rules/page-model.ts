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

/** Everything that the panel knows. Only `heard` and the `with…` functions change it, and the page is made of nothing else. */
export interface Model {
  readonly kept: PanelState;
  readonly view: RulesView | null;
  readonly evidence: EvidenceMessage | null;
  readonly learning: LearningMessage | null;
  /** Agents that no rule reaches. */
  readonly unreached: UnreachedMessage["agents"];
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** The last thing that was done, in a sentence. */
  readonly done: string;
  /** A button was pressed and its effect is still to come. */
  readonly isBusy: boolean;
  /** The decision that the service has not answered yet. */
  readonly deciding: Deciding | null;
  /** The rule of the last decision, which can be undone from anywhere. */
  readonly decided: string | null;
  /** The field that is open: a reason to reject, or another sentence. */
  readonly writing: { readonly id: string; readonly kind: "reject" | "edit"; readonly text: string } | null;
  /** Selections, the newest first. */
  readonly jobs: readonly JobSummary[];
  /** What can measure the rules of the chosen agent; null until it is known. */
  readonly offer: OfferMessage | null;
  /** What the person chose of the offer. */
  readonly form: SelectionForm | null;
  readonly plan: PlanMessage | null;
}

/** A decision that the service has not answered yet. */
export interface Deciding {
  readonly id: string;
  /** The other rules that waited for a decision, those below it in the list first. */
  readonly others: readonly string[];
}

/** A person's choices of how an agent's rules are measured. */
export interface SelectionForm {
  readonly agent: string;
  readonly driver: SelectAsk["driver"];
  /** The least recently measured active rule is measured again, after the approved ones. */
  readonly hasAudits: boolean;
  /** Most processing tokens of the whole selection; null for no cap. */
  readonly tokenCap: number | null;
}
