import { ruleActions, type RuleAction } from "../calls/rule-action.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { GuardConfig } from "./config.ts";
import type { TextRule } from "./imported/text-rule.ts";

/** A project's wishes about guard rules: those of its `guard.yaml`, and rules that are imported. */
export interface ProjectConfig extends GuardConfig {
  readonly imported: readonly TextRule[];
}

/** The wishes of a user, and of a project where there is one. */
export interface WholeConfig extends GuardConfig {
  readonly imported?: readonly TextRule[];
  /** Ids of those of the rules that the project adds. */
  readonly added?: ReadonlySet<string>;
}

/**
 * Adds a project's wishes to its user's. The project can only be stricter: rules are added, actions are raised, and up to `ask`. Its
 * exceptions do not count. The user's `off` and exceptions hold, as only the user says them.
 *
 * @param usual what rules that come with purser do
 */
export function withProject(
  user: GuardConfig,
  project: ProjectConfig,
  usual: ReadonlyMap<string, RuleAction>,
): WholeConfig {
  const raised = Object.entries(project.set).flatMap(([id, wanted]) => {
    const own = user.set[id] ?? usual.get(id);
    if (own === undefined || own === "off" || wanted === "off") return [];
    return [[id, stronger(own, atMostAsk(wanted))] as const];
  });
  const taken = new Set([...usual.keys(), ...user.rules.map(({ id }) => id)]);
  const rules = project.rules.map((rule) => ({
    ...named(rule, taken),
    action: rule.action === undefined ? undefined : atMostAsk(rule.action),
  }));
  const imported = project.imported.flatMap((each): TextRule[] => {
    const rule = named(each.rule, taken);
    const own = user.set[rule.id];
    return own === "off" ? [] : [{ ...each, rule: own === undefined ? rule : { ...rule, action: own } }];
  });
  return {
    set: { ...user.set, ...Object.fromEntries(raised) },
    exceptions: user.exceptions,
    rules: [...user.rules, ...rules],
    added: new Set(rules.map(({ id }) => id)),
    imported,
  };
}

function atMostAsk(action: RuleAction): RuleAction {
  return action === "deny" ? "ask" : action;
}

function stronger(one: RuleAction, other: RuleAction): RuleAction {
  return ruleActions.indexOf(one) < ruleActions.indexOf(other) ? other : one;
}

/** Gives a rule another id where there is one of its id: of two that fire with one id, only one would count. */
function named(rule: GuardRule, taken: Set<string>): GuardRule {
  let { id } = rule;
  for (let number = 2; taken.has(id); number += 1) id = `${rule.id}-${number}`;
  taken.add(id);
  return id === rule.id ? rule : { ...rule, id };
}
