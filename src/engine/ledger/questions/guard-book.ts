import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import type { LedgerBasis } from "../basis.ts";
import { guardCounts } from "../sums/by-guard.ts";
import { characterScale, tokensOfCharacters, type CharacterScale } from "../../base/format.ts";
import { selectCharactersPerToken } from "./rule-book.ts";
import type { GuardAdvice, GuardEffect, GuardEffects } from "../ledger-answers.ts";
import { readRows, type RowOf } from "../store/read-rows.ts";

/** How often a guard rule fired since a time, by the action taken. */
const ruleCount = {
  rule: textIn,
  family: textIn,
  /** The rule's action when its family is on. */
  action: textIn,
  done: textIn,
  count: numberIn,
  /** Milliseconds since the epoch. */
  lastAt: maybeNumberIn,
  /** Bytes of output that it saved, or would have saved. */
  savedBytes: numberIn,
};
type GuardRuleCount = RowOf<typeof ruleCount>;

/** One call that matched a guard rule. */
const hitRow = {
  id: textIn,
  sessionId: textIn,
  title: maybeTextIn,
  at: maybeNumberIn,
  program: maybeTextIn,
  tool: maybeTextIn,
  rule: textIn,
  family: textIn,
  /** The rule's action when its family is on. */
  action: textIn,
  done: textIn,
  excerpt: maybeTextIn,
  folder: maybeTextIn,
  savedBytes: maybeNumberIn,
};
type GuardHitRow = RowOf<typeof hitRow>;

/** A family's hits on one local calendar day, by the action taken. */
interface GuardFamilyDay {
  readonly day: string;
  readonly family: string;
  readonly done: string;
  readonly count: number;
  readonly savedBytes: number;
  /** Estimated from the bytes. */
  readonly savedTokens: number;
}

export interface GuardBook {
  /** The most frequent first. */
  readonly counts: readonly GuardRuleCount[];
  /** Newest first; old ones are only counted. */
  readonly hits: readonly GuardHitRow[];
  /** Oldest first, only days with hits. */
  readonly days: readonly GuardFamilyDay[];
  readonly scale: CharacterScale;
}

/** @param asked since milliseconds since the epoch, and the maximum number of single hits returned */
export function selectGuardBook(
  db: Database,
  { dayOf }: Pick<LedgerBasis, "dayOf">,
  { since, most }: { readonly since: number; readonly most: number },
): GuardBook {
  const scale = characterScale(selectCharactersPerToken(db));
  return {
    counts: selectCounts(db, since),
    hits: selectHits(db, since, most),
    days: selectDays(db, dayOf, since).map((day) => ({
      ...day,
      savedTokens: tokensOfCharacters(day.savedBytes, scale),
    })),
    scale,
  };
}

function selectCounts(db: Database, since: number): GuardRuleCount[] {
  return readRows(db, ruleCount, {
    from: `FROM ${guardCounts} WHERE at >= ?
     GROUP BY rule, family, action, done ORDER BY 5 DESC, rule, action, done`,
    values: [since],
    sql: { count: "sum(hits)", lastAt: "max(at)", savedBytes: "sum(saved_bytes)" },
  });
}

function selectHits(db: Database, since: number, max: number): GuardHitRow[] {
  return readRows(db, hitRow, {
    from: `FROM guard_hits LEFT JOIN sessions ON sessions.id = session_id
     WHERE at >= ? ORDER BY at DESC, guard_hits.id LIMIT ?`,
    values: [since, max],
    sql: { id: "guard_hits.id", program: "coalesce(guard_hits.program, sessions.program)" },
  });
}

/** A part of a day that no time zone's midnight divides. Milliseconds. */
const quarterHour = 900_000;

function selectDays(
  db: Database,
  dayOf: LedgerBasis["dayOf"],
  since: number,
): Omit<GuardFamilyDay, "savedTokens">[] {
  const days = new Map<string, Omit<GuardFamilyDay, "savedTokens">>();
  const parts = db.rows(
    `SELECT min(at), family, done, sum(hits), sum(saved_bytes) FROM ${guardCounts} WHERE at >= ?
     GROUP BY at / ${quarterHour}, family, done ORDER BY 1, family, done`,
    [since],
    ([at, family, done, count, savedBytes]) => ({
      day: dayOf(numberIn(at)),
      family: textIn(family),
      done: textIn(done),
      count: numberIn(count),
      savedBytes: numberIn(savedBytes),
    }),
  );
  for (const part of parts) {
    const key = JSON.stringify([part.day, part.family, part.done]);
    const sum = days.get(key) ?? { ...part, count: 0, savedBytes: 0 };
    const { count, savedBytes } = part;
    days.set(key, { ...sum, count: sum.count + count, savedBytes: sum.savedBytes + savedBytes });
  }
  return [...days.values()];
}

/** How often a guard rule fired, whatever the action taken. */
const guardCount = {
  rule: textIn,
  count: numberIn,
  /** Milliseconds since the epoch. */
  lastAt: maybeNumberIn,
};
type GuardCount = RowOf<typeof guardCount>;

export function selectGuardCounts(db: Database, since: number): GuardCount[] {
  return readRows(db, guardCount, {
    from: `FROM ${guardCounts} WHERE at >= ? GROUP BY rule ORDER BY rule`,
    values: [since],
    sql: { count: "sum(hits)", lastAt: "max(at)" },
  });
}

const answered = "('advised', 'asked', 'denied')";
/** Outcomes, each counted once: the user's decision overrides the result of later calls. */
const counted = `guard_outcomes o WHERE (o.source = 'user' OR NOT EXISTS (
  SELECT 1 FROM guard_outcomes u WHERE u.id = o.id AND u.source = 'user'))`;

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
