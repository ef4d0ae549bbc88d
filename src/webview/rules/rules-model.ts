import type { MemoryView, RulesView, RuleView } from "../../engine/rules/rules-answers.ts";
import type { HostMessage, OfferMessage, PanelState, Place, Tab } from "./rules-protocol.ts";
import { isReadyIn } from "../experiments/form/form.ts";
import { afterDecision } from "./decision.ts";
import { listedRules, tabIn, tabOf } from "./list/list-entries.ts";
import type { Deciding, Model } from "./page-model.ts";

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
      return withRules(model, message.view);
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

/** Applies the rules' state. A rule that is shown before it was known, as a new one, now chooses its tab. */
function withRules(model: Model, view: RulesView): Model {
  const known = { ...model, view, trouble: null, isBusy: false };
  const { place } = model.kept;
  const isIn = (rules: readonly RuleView[] = []) =>
    place?.kind === "rule" && rules.some(({ id }) => id === place.id);
  return place !== null && !isIn(model.view?.rules) && isIn(view.rules)
    ? withPlace(known, place)
    : withPlaceThatIs(known);
}

/** Shows the rule created by an edit, or the one after the decided rule. */
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
  if (follow !== null) return withPlace(known, { kind: "rule", id: follow });
  return deciding === null ? known : withNext(known, deciding);
}

/** Chooses the next rule of the tab. A user who has moved to another entry stays there. */
function withNext(model: Model, deciding: Deciding): Model {
  const { place } = model.kept;
  if (place?.kind !== "rule" || place.id !== deciding.id) return model;
  const next = afterDecision(model, deciding);
  if (next !== null) return withPlace(model, { kind: "rule", id: next });
  return withOpen({ ...model, kept: { ...model.kept, place: null } }, false);
}

/** Shows the result of an action on several rules. Changed rules are no longer selected. */
function withManyDone(model: Model, { message, ids }: Extract<HostMessage, { type: "manyDone" }>): Model {
  const marked = new Set([...model.marked].filter((id) => !ids.includes(id)));
  const { deciding } = model;
  const known = { ...model, done: message, isBusy: false, trouble: null, deciding: null };
  const decided = { ...known, marked, askingMany: null, decided: ids };
  return deciding !== null && ids.includes(deciding.id) ? withNext(decided, deciding) : decided;
}

/** Applies an offer. The user's choices stay if they are still possible. */
function withOffer(model: Model, offer: OfferMessage): Model {
  const { form } = model;
  const stays = form?.agent === offer.agent && isReadyIn(offer.drivers, form.driver);
  return {
    ...model,
    offer,
    form: stays
      ? form
      : { agent: offer.agent, driver: offer.driver, hasAudits: true, tokenCap: null, grade: "worth" },
  };
}

/** Shows a place. A rule's tab is chosen with it. */
export function withPlace(model: Model, place: Place): Model {
  const isSame = place.kind === "rule" && model.writing?.id === place.id;
  const rule = place.kind === "rule" ? model.view?.rules.find(({ id }) => id === place.id) : undefined;
  const known = rule === undefined ? model : inTab(model, tabOf(rule));
  const { kept } = known;
  return {
    ...known,
    kept: {
      ...kept,
      place,
      chosen: rule === undefined ? kept.chosen : { ...kept.chosen, [tabOf(rule)]: rule.id },
    },
    writing: isSame ? model.writing : null,
    confirming: null,
  };
}

/** Chooses a tab of the list, with the rule that was chosen there last, or else its first. */
export function withTab(model: Model, tab: Tab): Model {
  const known = withOpen(inTab(model, tab), false);
  const rules = listedRules(known);
  const rule = rules.find(({ id }) => id === model.kept.chosen[tab]) ?? rules[0];
  return rule === undefined
    ? { ...known, kept: { ...known.kept, place: null } }
    : withPlace(known, { kind: "rule", id: rule.id });
}

/** Rules of another tab are not decided about together with those of this one. */
function inTab(model: Model, tab: Tab): Model {
  const isOther = tabIn(model) !== tab;
  return {
    ...model,
    kept: { ...model.kept, tab },
    ...(isOther ? { marked: new Set<string>(), askingMany: null } : {}),
  };
}

/** Shows what confirming the rules of an agent that passed would take. */
export function withConfirming(model: Model, agent: string): Model {
  return { ...withOpen(withPlace(model, { kind: "selection", agent }), true), confirming: agent };
}

export function withOpen(model: Model, isOpen: boolean): Model {
  return { ...model, kept: { ...model.kept, isOpen } };
}

/** Chooses the tab's first rule if what was shown is gone, or nothing is shown. */
function withPlaceThatIs(model: Model): Model {
  if (model.view === null || placeOf(model) !== null) return model;
  const [first] = listedRules(model);
  return first === undefined ? model : withOpen(withPlace(model, { kind: "rule", id: first.id }), false);
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
