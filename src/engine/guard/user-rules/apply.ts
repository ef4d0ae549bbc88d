import path from "node:path";
import { findAllHits, unjudgedHits, type GuardedCall } from "../calls/find-hits.ts";
import { searchFor } from "../calls/patterns.ts";
import { matchingEffort, ownRulesEffort } from "../effort.ts";
import type { GuardRule } from "../calls/rule.ts";
import { RuleSet, type Hit } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { GuardConfig } from "./config.ts";
import { hitsOfText } from "./imported/text-rule.ts";
import type { WholeConfig } from "./with-project.ts";

export type Judge = (call: GuardedCall, context: ShellContext, now: number) => Hit[];

/** A rule about something that an agent did: where, and the texts that say what. */
interface Occasion {
  readonly rule: string;
  readonly texts: readonly string[];
  readonly folder: string | null;
  readonly home: string;
}

/** Returns the rules that come with purser as the user wants them, and the user's own. */
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

/** Makes a judge of the rules that come with purser and of what the user and the project say of them. */
export function makeJudge(builtIn: readonly GuardRule[], config: WholeConfig): Judge {
  const { added = new Set(), imported = [] } = config;
  const first = new RuleSet(effectiveRules(builtIn, { ...config, rules: [] }));
  const own = new RuleSet(config.rules.filter(({ id }) => !added.has(id)));
  const more = config.rules.filter(({ id }) => added.has(id)).map((rule) => new RuleSet([rule]));
  const isExcepted = exceptionsOf(config);
  return (call, context, now) => {
    // A project's rules may take as much as those that come with purser, and no more.
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

export type Silence = (occasion: Occasion, now: number) => boolean;

/** Makes a test of whether the user wants nothing of a rule on an occasion: the rule is off, or an exception holds. */
export function makeSilence(config: GuardConfig): Silence {
  const isExcepted = exceptionsOf(config);
  return (occasion, now) => config.set[occasion.rule] === "off" || isExcepted(occasion, now);
}

function exceptionsOf({ exceptions }: GuardConfig): Silence {
  const all = exceptions.map((exception) => ({
    ...exception,
    found: exception.like === undefined ? null : searchFor(exception.like),
    // The whole day before is still in time, wherever the user is.
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
  // A folder that is not absolute would be one of the service's own.
  if (!path.isAbsolute(outer)) return false;
  const relative = path.relative(outer.normalize(), inner.normalize());
  const isAbove = relative === ".." || relative.startsWith(`..${path.sep}`);
  return relative === "" || (!isAbove && !path.isAbsolute(relative));
}
