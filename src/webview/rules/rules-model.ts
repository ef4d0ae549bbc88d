import type { MemoryView, RuleView } from "../../engine/rules/rules-answers.ts";
import type { HostMessage, OfferMessage, PanelState, Place } from "./rules-protocol.ts";
import { isReadyIn } from "../experiments/form/form.ts";
import { afterDecision } from "./decision.ts";
import { listed } from "./list/list-entries.ts";
import type { Model } from "./page-model.ts";

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
    decided: [],
    marked: new Set(),
    askingMany: null,
    unreached: [],
    jobs: [],
    offer: null,
    form: null,
    confirming: null,
    plan: null,
    trials: [],
    trial: null,
    trialPlan: null,
    learned: [],
  };
}

/** Applies a message of the host to the model. */
export function applyMessage(model: Model, message: HostMessage): Model {
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
    case "trials":
      return { ...model, trials: message.trials };
    case "trial":
      return { ...model, trial: message };
    case "trialPlan":
      return { ...model, trialPlan: message };
    case "learned":
      return withPlaceThatIs({ ...model, learned: message.items });
    case "done":
      return withDone(model, message);
    case "manyDone":
      return withManyDone(model, message);
    case "error":
    case "offline":
      return { ...model, trouble: message, isBusy: false, deciding: null };
    case "show":
      return withOpen(withPlace(model, message.place), true);
  }
}

/** Shows the rule created by an edit, or the next one waiting for a decision. */
function withDone(model: Model, { message, follow }: Extract<HostMessage, { type: "done" }>): Model {
  const { deciding } = model;
  const known = {
    ...model,
    done: message,
    isBusy: false,
    writing: null,
    trouble: null,
    deciding: null,
    decided: deciding === null ? model.decided : [deciding.id],
    confirming: null,
  };
  const { place } = model.kept;
  // A user who has moved to another entry stays there.
  const isThere = place?.kind === "rule" && place.id === deciding?.id;
  const next = follow ?? (deciding !== null && isThere ? afterDecision(known, deciding) : null);
  return next === null ? known : withPlace(known, { kind: "rule", id: next });
}

/** Shows the result of an action on several rules. Changed rules are no longer selected. */
function withManyDone(model: Model, { message, ids }: Extract<HostMessage, { type: "manyDone" }>): Model {
  const marked = new Set([...model.marked].filter((id) => !ids.includes(id)));
  const known = { ...model, done: message, isBusy: false, trouble: null, deciding: null };
  return { ...known, marked, askingMany: null, decided: ids };
}

/** Applies an offer. The user's choices stay if they are still possible. */
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
  return {
    ...model,
    kept: { ...model.kept, place },
    writing: isSame ? model.writing : null,
    confirming: null,
  };
}

/** Shows what confirming the rules of an agent that passed would take. */
export function withConfirming(model: Model, agent: string): Model {
  return { ...withOpen(withPlace(model, { kind: "selection", agent }), true), confirming: agent };
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
  | { readonly kind: "selection" | "trial"; readonly agent: string }
  | { readonly kind: "learned"; readonly project: string };

/** The chosen entry; null if it does not exist. */
export function placeOf({ kept: { place }, view, learned }: Model): Shown | null {
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
    case "learned":
      return learned.some(({ project }) => project === place.project) ? place : null;
    case "selection":
    case "trial":
      return place;
  }
}
