import type { GuardAdvice, GuardEffect, GuardEffects } from "../../answers.ts";
import { maybeNumberIn, numberIn, textIn } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { guardCounts } from "../../sums/by-guard.ts";

const answered = "('advised', 'asked', 'denied')";
/** Outcomes, each counted once: the user's decision overrides the result of later calls. */
const counted = `guard_outcomes o WHERE (o.source = 'user' OR NOT EXISTS (
  SELECT 1 FROM guard_outcomes u WHERE u.id = o.id AND u.source = 'user'))`;

/** @param since milliseconds since the epoch */
export function selectGuardEffects(db: Database, since: number): GuardEffects {
  return { effects: selectEffects(db, since), advice: selectAdvice(db) };
}

function selectEffects(db: Database, since: number): GuardEffect[] {
  const outcome = (word: string) => `sum(hits * (outcome = '${word}'))`;
  const countOf = (word: string) => `sum(hits * (done = '${word}'))`;
  return db.rows(
    `SELECT rule, min(family), ${["advised", "asked", "denied"].map(countOf).join(", ")},
       ${["followed", "ignored", "overridden", "progress", "false"].map(outcome).join(", ")}
     FROM ${guardCounts} WHERE at >= ? AND done IN ${answered} GROUP BY rule ORDER BY rule`,
    [since],
    (cells): GuardEffect => {
      const [advised = 0, asked = 0, denied = 0, ...known] = cells.slice(2).map(numberIn);
      const [followed = 0, ignored = 0, overridden = 0, progress = 0, mistaken = 0] = known;
      return {
        rule: textIn(cells[0]),
        family: textIn(cells[1]),
        advised,
        asked,
        denied,
        followed,
        ignored,
        overridden,
        progress,
        mistaken,
        unknown: advised + asked + denied - known.reduce((sum, each) => sum + each, 0),
      };
    },
  );
}

function selectAdvice(db: Database): GuardAdvice[] {
  const some = (words: string) =>
    `coalesce(sum(c.hits * (c.outcome IN (${words}) AND c.at > coalesce(w.at, -9e15))), 0)`;
  return db.rows(
    `SELECT r.rule, ${some("'followed', 'progress'")}, ${some("'ignored', 'false'")}, w.at
     FROM (SELECT rule FROM guard_outcomes UNION SELECT rule FROM guard_sums WHERE outcome <> '' UNION SELECT rule FROM guard_wakes) r
     LEFT JOIN (SELECT rule, max(at) AS at FROM guard_wakes GROUP BY rule) w ON w.rule = r.rule
     LEFT JOIN (
       SELECT o.rule, o.outcome, coalesce(o.at, 0) AS at, 1 AS hits FROM ${counted} AND o.done = 'advised'
       UNION ALL SELECT rule, outcome, last_at, hits FROM guard_sums WHERE done = 'advised'
     ) c ON c.rule = r.rule
     GROUP BY r.rule ORDER BY r.rule`,
    [],
    ([rule, helped, failed, wokenAt]) => ({
      rule: textIn(rule),
      helped: numberIn(helped),
      failed: numberIn(failed),
      wokenAt: maybeNumberIn(wokenAt),
    }),
  );
}
