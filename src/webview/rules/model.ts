import type { MemoryView, RulesView, RuleView } from "../../engine/service/rules-view.ts";
import type { EvidenceMessage, HostMessage, PanelState, Place } from "./protocol.ts";

/** All that the panel knows. It changes only by `heard` and `with…`; what is shown is made of it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly view: RulesView | null;
  readonly evidence: EvidenceMessage | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** What was done last, in a sentence. */
  readonly done: string;
  /** Something was asked for that is not done yet. */
  readonly isBusy: boolean;
  /** What is being written: a reason to reject, or another sentence. */
  readonly writing: { readonly id: string; readonly kind: "reject" | "edit"; readonly text: string } | null;
}

export function firstModel(kept: PanelState): Model {
  return { kept, view: null, evidence: null, trouble: null, done: "", isBusy: false, writing: null };
}

/** What is known after the host said something. */
export function heard(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "rules":
      return withPlaceThatIs({ ...model, view: message.view, trouble: null, isBusy: false });
    case "evidence":
      return { ...model, evidence: message };
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

/** What is looked at, where it is there. */
export function placeOf({ kept: { place }, view }: Model): RuleView | MemoryView | null {
  if (place === null || view === null) return null;
  return place.kind === "rule"
    ? (view.rules.find(({ id }) => id === place.id) ?? null)
    : (view.memories.find(({ agent }) => agent === place.agent) ?? null);
}

export function isRule(shown: RuleView | MemoryView): shown is RuleView {
  return "sentence" in shown;
}

export interface Group {
  readonly name: string;
  readonly rules: readonly RuleView[];
}

const groups: readonly (readonly [string, readonly RuleView["status"][]])[] = [
  ["Waiting for You", ["measured", "candidate"]],
  ["To Be Measured", ["approved"]],
  ["Active", ["active"]],
  ["Shelved", ["shelved"]],
  ["Evicted", ["evicted"]],
];

/** Rules by what is to be done with them; within a group those that passed first, then by what they save, then the newest. */
export function groupsOf({ rules }: RulesView): Group[] {
  return groups.map(([name, statuses]) => ({
    name,
    rules: rules
      .filter(({ status }) => statuses.includes(status))
      .toSorted(
        (one, other) =>
          statuses.indexOf(one.status) - statuses.indexOf(other.status) ||
          (other.saving ?? -Infinity) - (one.saving ?? -Infinity) ||
          (other.createdAt ?? 0) - (one.createdAt ?? 0),
      ),
  }));
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
