import type { MemoryView, RulesView, RuleView } from "../../engine/rules/answers.ts";
import type { JobSummary } from "../../engine/jobs/answers/bench.ts";
import type {
  EvidenceMessage,
  HostMessage,
  LearningMessage,
  OfferMessage,
  PanelState,
  Place,
  PlanMessage,
  UnreachedMessage,
} from "./protocol.ts";
import { isReadyIn } from "../bench/is-ready-in.ts";
import { afterDecision, type Deciding } from "./decision.ts";
import { listed } from "./order.ts";
import type { SelectionForm } from "./selection/selection.ts";

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

export function firstModel(kept: PanelState): Model {
  return {
    kept,
    view: null,
    evidence: null,
    learning: null,
    trouble: null,
    done: "",
    isBusy: false,
    writing: null,
    deciding: null,
    decided: null,
    unreached: [],
    jobs: [],
    offer: null,
    form: null,
    plan: null,
  };
}

/** Makes the model after a message of the host. */
export function heard(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "rules":
      return withPlaceThatIs({ ...model, view: message.view, trouble: null, isBusy: false });
    case "evidence":
      return { ...model, evidence: message };
    case "unreached":
      return { ...model, unreached: message.agents };
    case "learning":
      return { ...model, learning: message };
    case "jobs":
      return { ...model, jobs: message.jobs };
    case "offer":
      return withOffer(model, message);
    case "plan":
      return { ...model, plan: message };
    case "done":
      return withDone(model, message);
    case "error":
    case "offline":
      return { ...model, trouble: message, isBusy: false, deciding: null };
    case "show":
      return withOpen(withPlace(model, message.place), true);
  }
}

/** Shows the rule that an edit made, or the next that waits for a decision. */
function withDone(model: Model, { message, follow }: Extract<HostMessage, { type: "done" }>): Model {
  const { deciding } = model;
  const known = {
    ...model,
    done: message,
    isBusy: false,
    writing: null,
    trouble: null,
    deciding: null,
    decided: deciding?.id ?? model.decided,
  };
  const { place } = model.kept;
  // A person who moved on meanwhile stays there.
  const isThere = place?.kind === "rule" && place.id === deciding?.id;
  const next = follow ?? (deciding !== null && isThere ? afterDecision(known, deciding) : null);
  return next === null ? known : withPlace(known, { kind: "rule", id: next });
}

/** Takes in an offer. The person's choices stay where they are still possible. */
function withOffer(model: Model, offer: OfferMessage): Model {
  const { form } = model;
  const stays = form?.agent === offer.agent && isReadyIn(offer.drivers, form.driver);
  return {
    ...model,
    offer,
    form: stays ? form : { agent: offer.agent, driver: offer.driver, hasAudits: true, tokenCap: null },
  };
}

export function withPlace(model: Model, place: Place): Model {
  const isSame = place.kind === "rule" && model.writing?.id === place.id;
  return { ...model, kept: { ...model.kept, place }, writing: isSame ? model.writing : null };
}

export function withOpen(model: Model, isOpen: boolean): Model {
  return { ...model, kept: { ...model.kept, isOpen } };
}

/** Chooses the first entry if the chosen one is gone, or none is chosen. */
function withPlaceThatIs(model: Model): Model {
  if (model.view === null || placeOf(model) !== null) return model;
  const [first] = listed(model);
  return first === undefined ? model : withOpen(withPlace(model, first), false);
}

export type Shown =
  | { readonly kind: "rule"; readonly rule: RuleView }
  | { readonly kind: "memory"; readonly memory: MemoryView }
  | { readonly kind: "selection"; readonly agent: string };

/** The chosen entry; null if it is not there. */
export function placeOf({ kept: { place }, view }: Model): Shown | null {
  if (place === null || view === null) return null;
  switch (place.kind) {
    case "rule": {
      const rule = view.rules.find(({ id }) => id === place.id);
      return rule === undefined ? null : { kind: "rule", rule };
    }
    case "memory": {
      const memory = view.memories.find(({ agent }) => agent === place.agent);
      return memory === undefined ? null : { kind: "memory", memory };
    }
    case "selection":
      return place;
  }
}
