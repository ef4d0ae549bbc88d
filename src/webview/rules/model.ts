import type { MemoryView, RulesView, RuleView } from "../../engine/service/rules-view.ts";
import type { JobSummary } from "../../engine/service/bench-view.ts";
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
import { isReadyIn } from "../bench/missing-agents.ts";
import type { SelectionForm } from "./selection.ts";

/** All that the panel knows. It changes only by `heard` and `with…`; what is shown is made of it alone. */
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

export function firstModel(kept: PanelState): Model {
  return {
    ...{
      kept,
      view: null,
      evidence: null,
      learning: null,
      trouble: null,
      done: "",
      isBusy: false,
      writing: null,
    },
    ...{ unreached: [], jobs: [], offer: null, form: null, plan: null },
  };
}

/** What is known after the host said something. */
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
    case "done": {
      const known = { ...model, done: message.message, isBusy: false, writing: null, trouble: null };
      return message.follow === null ? known : withPlace(known, { kind: "rule", id: message.follow });
    }
    case "error":
    case "offline":
      return { ...model, trouble: message, isBusy: false };
    case "show":
      return withPlace(model, message.place);
  }
}

/** What was chosen stays chosen where it still can be. */
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

/** A rule that is gone is not looked at; nor is nothing, where there is something. */
function withPlaceThatIs(model: Model): Model {
  if (model.view === null || placeOf(model) !== null) return model;
  const [first] = inOrder(model.view);
  return first === undefined ? model : withPlace(model, { kind: "rule", id: first.id });
}

export type Shown =
  | { readonly kind: "rule"; readonly rule: RuleView }
  | { readonly kind: "memory"; readonly memory: MemoryView }
  | { readonly kind: "selection"; readonly agent: string };

/** What is looked at, where it is there. */
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

export interface Group {
  readonly name: string;
  readonly rules: readonly RuleView[];
}

/** Between approved and active, and only where nothing is let in by itself: the group is there when one of it is. */
const passed = "Passed (waiting for you)";
const groups: readonly (readonly [string, readonly RuleView["status"][]])[] = [
  [passed, ["measured"]],
  ["Candidates", ["candidate"]],
  ["Approved (to be measured)", ["approved"]],
  ["Active", ["active"]],
  ["Shelved", ["shelved"]],
  ["Evicted", ["evicted"]],
];

/** Rules by where they are in their lives; within a group by what they save, then the newest. */
export function groupsOf({ rules }: RulesView): Group[] {
  const all = groups.map(([name, statuses]) => ({
    name,
    rules: rules
      .filter(({ status }) => statuses.includes(status))
      .toSorted(
        (one, other) =>
          (other.saving ?? -Infinity) - (one.saving ?? -Infinity) ||
          (other.createdAt ?? 0) - (one.createdAt ?? 0),
      ),
  }));
  return all.filter(({ name, rules: own }) => name !== passed || own.length > 0);
}

/** As they are listed. */
function inOrder(view: RulesView): RuleView[] {
  return groupsOf(view).flatMap(({ rules }) => rules);
}

/** The rule after or before the one that is looked at; undefined at the end. */
export function neighbour(model: Model, step: 1 | -1): RuleView | undefined {
  const { view } = model;
  if (view === null) return undefined;
  const all = inOrder(view);
  const { place } = model.kept;
  const here = all.findIndex(({ id }) => place?.kind === "rule" && id === place.id);
  return here < 0 ? all[0] : all[here + step];
}
