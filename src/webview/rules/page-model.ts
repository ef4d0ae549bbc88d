import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import type {
  RulesView,
  ManyRulesAction,
  RuleActionRequest,
  RuleView,
} from "../../engine/rules/rules-answers.ts";
import type { TrialHead } from "../../engine/rules/trial-answers.ts";
import type { SelectAsk } from "../../engine/jobs/compare-answers.ts";
import type {
  EvidenceMessage,
  HostMessage,
  LearningMessage,
  OfferMessage,
  PanelState,
  PlanMessage,
  TrialMessage,
  TrialPlanMessage,
  UnreachedMessage,
  PanelMessage,
  Filter,
  Place,
  Tab,
} from "./rules-protocol.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `heard` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly view: RulesView | null;
  readonly evidence: EvidenceMessage | null;
  readonly learning: LearningMessage | null;
  /** Agents that no rule reaches. */
  readonly unreached: UnreachedMessage["agents"];
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** The last completed action, in a sentence. */
  readonly done: string;
  /** A button was pressed, and its effect is pending. */
  readonly isBusy: boolean;
  /** The decision that the service has not answered yet. */
  readonly deciding: Deciding | null;
  /** The rules of the last decision, which can be undone from anywhere. */
  readonly decided: readonly string[];
  /** Rules that are selected together, to be decided about at once. */
  readonly marked: ReadonlySet<string>;
  /** An action on the selected rules that waits for confirmation. */
  readonly askingMany: { readonly kind: "letIn" } | { readonly kind: "reject"; readonly why: string } | null;
  /** The open input: a reason to reject, or another sentence. */
  readonly writing: { readonly id: string; readonly kind: "reject" | "edit"; readonly text: string } | null;
  /** Selections, newest first. */
  readonly jobs: readonly JobSummary[];
  /** What can measure the chosen agent's rules; null until known. */
  readonly offer: OfferMessage | null;
  /** The user's choices from the offer. */
  readonly form: SelectionForm | null;
  /** The agent with passed rules to confirm together; null if rules are to be measured. */
  readonly confirming: string | null;
  readonly plan: PlanMessage | null;
  /** Trials on real work, newest first. */
  readonly trials: readonly TrialHead[];
  /** The state of the chosen agent's trial, and the effect of another one; null until known. */
  readonly trial: TrialMessage | null;
  readonly trialPlan: TrialPlanMessage | null;
  /** What was learned from past sessions, the best first. */
  readonly learned: readonly LearnedItem[];
}

/** A decision that the service has not answered yet. */
export interface Deciding {
  readonly id: string;
  /** The other rules of its tab, starting with those below it. */
  readonly others: readonly string[];
}

/** The user's choices of how an agent's rules are measured. */
export interface SelectionForm {
  readonly agent: string;
  readonly driver: SelectAsk["driver"];
  /** Whether the least recently measured active rule is measured again, after the approved ones. */
  readonly hasAudits: boolean;
  /** Maximum processing tokens of the whole selection; null for no cap. */
  readonly tokenCap: number | null;
  /** Rules are measured until that pays no more, or until they are proved. */
  readonly grade: "worth" | "proved";
}

export function ready({ place }: PanelState): PanelMessage {
  return { type: "ready", place };
}

export function isAwaiting({ view, trouble }: Model): boolean {
  return view === null && trouble === null;
}

export function spoken({ trouble, done }: Model): string {
  return trouble?.message ?? done;
}

/** Messages that must take effect before anything else is done. */
export const awaited: ReadonlySet<PanelMessage["type"]> = new Set([
  "compile",
  "undoMemory",
  "start",
  "resume",
  "startTrial",
  "stopTrial",
  "letInByTrial",
  "markLearned",
]);

/** Actions of the Rules panel. */
export interface Actions extends PageActions {
  /** Chooses an entry of the list, and opens it. */
  look(place: Place): void;
  act(rule: RuleView, act: RuleActionRequest): void;
  /** Opens the input for a reason or another sentence; null closes it. */
  write(rule: RuleView, kind: "reject" | "edit" | null): void;
  /** Opens the input for other words of something that was learned; null closes it. */
  writeLearned(item: LearnedItem | null): void;
  rewrite(text: string): void;
  post(message: PanelMessage): void;
  /** Opens what confirming the rules of an agent that passed, as a whole, would take. */
  confirmTogether(agent: string): void;
  /** Chooses how rules are measured. */
  choose(form: SelectionForm): void;
  /** Chooses a tab of the list. */
  chooseTab(tab: Tab): void;
  /** Chooses which rules the list shows. */
  filter(filter: Filter): void;
  /** Chooses the first entry that the filter leaves. */
  lookAtFirst(): void;
  /** Selects a rule beside others, or no longer. */
  mark(id: string): void;
  /** Selects all rules from the chosen one to this one. */
  markTo(id: string): void;
  /** Selects these rules, or all listed ones. If all are selected, deselects them. */
  markAll(ids?: string[]): void;
  clearMarks(): void;
  /** Shows what is to be done with the selected rules, before it is; null closes it. */
  askMany(kind: "letIn" | "reject" | null, why?: string): void;
  actOnMarked(act: ManyRulesAction): void;
  toggleLegend(): void;
  /** Undoes the last decision. */
  undoDecided(): void;
  /** Closes the bar that names the last decision. */
  forgetDecided(): void;
}

export interface RenderContext extends PageContext<Model, Actions> {
  /** The window is too narrow for the list and the chosen entry side by side. */
  readonly isNarrow: boolean;
  readonly isLegendOpen: boolean;
}

/** The charts of evidence and of learning, which are switched to tables together. */
export const figures = "figures";
