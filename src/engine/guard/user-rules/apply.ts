import path from "node:path";
import { findHits, type GuardedCall } from "../calls/find-hits.ts";
import { searchFor } from "../calls/patterns.ts";
import type { GuardRule } from "../calls/rule.ts";
import { RuleSet, type Hit } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { GuardConfig } from "./config.ts";

export type Judge = (call: GuardedCall, context: ShellContext, now: number) => Hit[];

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

/** Makes a judge of the rules that come with purser and of what the user says of them. */
export function makeJudge(builtIn: readonly GuardRule[], config: GuardConfig): Judge {
  const all = new RuleSet(effectiveRules(builtIn, config));
  const excepted = config.exceptions.map((exception) => ({
    ...exception,
    found: exception.like === undefined ? null : searchFor(exception.like),
    // The whole day before is still in time, wherever the user is.
    end: exception.until === undefined ? Infinity : new Date(`${exception.until}T00:00:00`).getTime(),
  }));
  return (call, context, now) => {
    const hits = findHits(call, all, context);
    if (hits.length === 0 || excepted.length === 0) return hits;
    const text = call.kind === "command" ? call.command : call.file;
    return hits.filter(
      ({ rule, excerpt }) =>
        !excepted.some(
          ({ rule: id, found, folder, end }) =>
            id === rule.id &&
            now < end &&
            (found === null || found.test(text) || found.test(excerpt)) &&
            (folder === undefined || isWithin(context.folder, folder, context.home)),
        ),
    );
  };
}

function isWithin(inner: string | null, folder: string, home: string): boolean {
  if (inner === null) return false;
  const outer = folder === "~" || /^~[/\\]/u.test(folder) ? path.join(home, folder.slice(1)) : folder;
  const relative = path.relative(outer, inner);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}
