import { groupsOf } from "./groups.ts";
import { learnedProjects } from "./learned/describe.ts";
import type { Model } from "./page-model.ts";
import type { Place } from "./protocol.ts";
import { selectionAgents } from "./selection/selection.ts";
import { trialAgents } from "./trial/describe.ts";

/** A move in the list: a number of entries up or down, or to an end. */
export type Move = number | "first" | "last";

/** Lists all entries from top to bottom: rules in their groups, selections, trials, memories, what was learned. */
export function listed(model: Pick<Model, "view" | "jobs" | "trials" | "learned">): readonly Place[] {
  const { view } = model;
  if (view === null) return [];
  const rules = groupsOf(view).flatMap((group) => group.rules);
  return [
    ...rules.map(({ id }) => ({ kind: "rule" as const, id })),
    ...selectionAgents(model).map((agent) => ({ kind: "selection" as const, agent })),
    ...trialAgents(model).map((agent) => ({ kind: "trial" as const, agent })),
    ...view.memories.map(({ agent }) => ({ kind: "memory" as const, agent })),
    ...learnedProjects(model).map((project) => ({ kind: "learned" as const, project })),
  ];
}

/** The entry that a move leads to, stopping at the ends of the list; null if it is the same entry. */
export function moved(
  model: Pick<Model, "view" | "jobs" | "trials" | "learned" | "kept">,
  move: Move,
): Place | null {
  const places = listed(model);
  const { place } = model.kept;
  const here = place === null ? -1 : places.findIndex((each) => isSamePlace(each, place));
  const last = places.length - 1;
  const wanted = move === "first" ? 0 : move === "last" ? last : here < 0 ? 0 : here + move;
  const next = Math.min(Math.max(wanted, 0), last);
  return next === here ? null : (places[next] ?? null);
}

export function isSamePlace(one: Place, other: Place): boolean {
  return placeKey(one) === placeKey(other);
}

/** A key that identifies a place. */
export function placeKey(place: Place): string {
  switch (place.kind) {
    case "rule":
      return `rule ${place.id}`;
    case "learned":
      return `learned ${place.project}`;
    case "memory":
    case "selection":
    case "trial":
      return `${place.kind} ${place.agent}`;
  }
}
