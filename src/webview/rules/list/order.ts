import type { MemoryView } from "../../../engine/rules/answers.ts";
import { filteredRules, isFiltering, listsAgent } from "./filter.ts";
import { groupsOf } from "./groups.ts";
import { learnedProjects } from "../learned/describe-learned.ts";
import type { Model } from "../page-model.ts";
import type { Place } from "../protocol.ts";
import { selectionAgents } from "../selection/selection.ts";
import { trialAgents } from "../trial/describe-trial.ts";

/** A move in the list: a number of entries up or down, or to an end. */
export type Move = number | "first" | "last";

type Listed = Pick<Model, "view" | "kept" | "jobs" | "trials" | "learned">;

/** Lists all entries that the filter leaves from top to bottom: rules in their groups, selections, trials, memories, what was learned. */
export function listed(model: Listed): readonly Place[] {
  const { view } = model;
  if (view === null) return [];
  const rules = groupsOf({ rules: filteredRules(model) }).flatMap((group) => group.rules);
  return [
    ...rules.map(({ id }) => ({ kind: "rule" as const, id })),
    ...listedAgents(model, selectionAgents(model)).map((agent) => ({ kind: "selection" as const, agent })),
    ...listedAgents(model, trialAgents(model)).map((agent) => ({ kind: "trial" as const, agent })),
    ...listedMemories(model).map(({ agent }) => ({ kind: "memory" as const, agent })),
    ...(isFiltering(model.kept.filter) ? [] : learnedProjects(model)).map((project) => ({
      kind: "learned" as const,
      project,
    })),
  ];
}

export function listedAgents(model: Listed, agents: readonly string[]): readonly string[] {
  return agents.filter((agent) => listsAgent(model, agent));
}

export function listedMemories(model: Listed): readonly MemoryView[] {
  return (model.view?.memories ?? []).filter(({ agent }) => listsAgent(model, agent));
}

/** The entry that a move leads to, stopping at the ends of the list; null if it is the same entry. */
export function moved(model: Listed, move: Move): Place | null {
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
