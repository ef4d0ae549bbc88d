import path from "node:path";
import { findAllHits, unjudgedHits, type GuardedCall } from "../calls/find-hits.ts";
import { searchFor } from "../calls/patterns.ts";
import { type GuardRule } from "../calls/rule.ts";
import { ruleActions, type RuleAction } from "../calls/rule-action.ts";
import { RuleSet, type Hit } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { matchingEffort, ownRulesEffort } from "../effort.ts";
import type { GuardConfig } from "./config.ts";
import { hitsOfText, type TextRule } from "./text-rule.ts";

/** A project's settings of guard rules: its `guard.yaml`, and imported rules. */
export interface ProjectConfig extends GuardConfig {
  readonly imported: readonly TextRule[];
}

/** The settings of a user and, if any, a project. */
export interface WholeConfig extends GuardConfig {
  readonly imported?: readonly TextRule[];
  /** Ids of the rules that the project adds. */
  readonly added?: ReadonlySet<string>;
}

/**
 * Adds a project's settings to its user's. The project can only be stricter: it adds rules and raises actions, up to `ask`. Its
 * exceptions do not count. The user's `off` and exceptions stay.
 * @param usual default actions of built-in rules
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

/** Gives a rule another id if its id is taken: only one hit of each id counts. */
function named(rule: GuardRule, taken: Set<string>): GuardRule {
  let { id } = rule;
  for (let number = 2; taken.has(id); number += 1) id = `${rule.id}-${number}`;
  taken.add(id);
  return id === rule.id ? rule : { ...rule, id };
}

export type Judge = (call: GuardedCall, context: ShellContext, now: number) => Hit[];

/** A rule on an action of an agent, with texts of the action. */
interface Occasion {
  readonly rule: string;
  readonly texts: readonly string[];
  readonly folder: string | null;
  readonly home: string;
}

/** Returns the built-in rules with the user's changes, and the user's rules. */
export function effectiveRules(
  builtIn: readonly GuardRule[],
  { set, rules }: GuardConfig,
): readonly GuardRule[] {
  const changed = builtIn.flatMap((rule): GuardRule[] => {
    const own = set[rule.id];
    if (own === undefined) return [rule];
    return own === "off" ? [] : [{ ...rule, action: own }];
  });
  return [...changed, ...rules];
}

/** Creates a judge from the built-in rules and the settings of user and project. */
export function makeJudge(builtIn: readonly GuardRule[], config: WholeConfig): Judge {
  const { added = new Set(), imported = [] } = config;
  const first = new RuleSet(effectiveRules(builtIn, { ...config, rules: [] }));
  const own = new RuleSet(config.rules.filter(({ id }) => !added.has(id)));
  const more = config.rules.filter(({ id }) => added.has(id)).map((rule) => new RuleSet([rule]));
  const isExcepted = exceptionsOf(config);
  return (call, context, now) => {
    // A project's rules may take as many steps as the built-in ones.
    const effort = matchingEffort();
    const sets = [
      { rules: first, effort: matchingEffort() },
      { rules: own, effort: ownRulesEffort(own.rules.length) },
      ...more.map((set) => ({ rules: set, effort })),
    ];
    const { hits, isComplete } = findAllHits(call, sets, context);
    if (imported.length > 0) hits.push(...hitsOfText(imported, call, effort));
    if (!isComplete || effort.isExceeded) hits.push(...unjudgedHits(call, first));
    if (hits.length === 0 || config.exceptions.length === 0) return hits;
    const text = call.kind === "command" ? call.command : call.file;
    const { folder, home } = context;
    return hits.filter(
      ({ rule, excerpt }) => !isExcepted({ rule: rule.id, texts: [text, excerpt], folder, home }, now),
    );
  };
}

export type IsExcepted = (occasion: Occasion, now: number) => boolean;

/** Creates a test of whether a rule is off on an occasion, or an exception applies. */
export function makeExceptionTest(config: GuardConfig): IsExcepted {
  const isExcepted = exceptionsOf(config);
  return (occasion, now) => config.set[occasion.rule] === "off" || isExcepted(occasion, now);
}

function exceptionsOf({ exceptions }: GuardConfig): IsExcepted {
  const all = exceptions.map((exception) => ({
    ...exception,
    found: exception.like === undefined ? null : searchFor(exception.like),
    // In local time: the whole day before counts.
    end: exception.until === undefined ? Infinity : new Date(`${exception.until}T00:00:00`).getTime(),
  }));
  return ({ rule, texts, folder: at, home }, now) =>
    all.some(
      ({ rule: id, found, folder, end }) =>
        id === rule &&
        now < end &&
        (found === null || texts.some((text) => found.isIn(text, null) === true)) &&
        (folder === undefined || isWithin(at, folder, home)),
    );
}

function isWithin(inner: string | null, folder: string, home: string): boolean {
  if (inner === null) return false;
  const outer = folder === "~" || /^~[/\\]/u.test(folder) ? path.join(home, folder.slice(1)) : folder;
  // A relative folder would be inside the service's folder.
  if (!path.isAbsolute(outer)) return false;
  const relative = path.relative(outer.normalize(), inner.normalize());
  const isAbove = relative === ".." || relative.startsWith(`..${path.sep}`);
  return relative === "" || (!isAbove && !path.isAbsolute(relative));
}
