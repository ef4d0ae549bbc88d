import { median, shareOut } from "../../base/numbers.ts";
import { usdOf } from "../../usage/sum.ts";
import type { LedgerBasis } from "../basis.ts";
import { selectSessionsNamed } from "../questions/continuity-rows.ts";
import type { Database } from "../store/database.ts";
import type { SessionFacts } from "../store/session-facts.ts";
import type { UsageRollup } from "../sums/usage-rollup.ts";
import type { Why, WhyChange, WhyClause, WhyProof, WhyQuestion, WhySession } from "../why-answers.ts";
import { minHistory, Partition, type Part } from "./partition.ts";
import { findSubjects, type Subject } from "./suspects.ts";
import { sumOf, WhyScope, type HistoryUnits } from "./why-scope.ts";
import {
  budgetChange,
  changeText,
  clauseText,
  dearerText,
  groupName,
  largerText,
  modelChange,
  multipleText,
  newText,
  restText,
  spikeText,
  type RestIs,
  usualText,
} from "./why-words.ts";

/** The same weekday is compared with if there are as many of it. */
const minWeekdays = 4;
/** Maximum clauses besides the rest, sessions named per clause, and responses named per session. */
const [maxClauses, maxProofs, maxTurns] = [3, 3, 8];
/** A budget for work, as a multiple of its median. */
const budgetFactor = 1.5;
/** A change that would have saved less is not worth it. Share of the whole, and billionths of a dollar. */
const [minSavedShare, minSaved] = [0.03, 10_000_000];

interface WhyContext {
  readonly db: Database;
  readonly rollup: UsageRollup;
  readonly basis: LedgerBasis;
}

/** Null for an unknown session, or if several begin with its id. */
export function whyOf(context: WhyContext, question: WhyQuestion): Why | null {
  let session: SessionFacts | null = null;
  if (question.session !== null) {
    const [only, another] = selectSessionsNamed(context.db, question.session);
    if (only === undefined || another !== undefined) return null;
    session = context.rollup.facts().get(only.id) ?? null;
    if (session === null) return null;
  }
  const scope = new WhyScope(context, question, session);
  const units = scope.history();
  const partition = new Partition(scope.cells);
  const { catalogue } = context.basis;
  const all = findSubjects(scope, partition, { history: [...units.values()], catalogue });
  const shown = all.sort((one, other) => other.nanos - one.nanos).slice(0, maxClauses);
  const rest = partition.whole - shown.reduce((sum, { nanos }) => sum + nanos, 0);
  // In thousandths, so that a product with 100 is exact.
  const weights = [...shown.map(({ nanos }) => nanos), rest].map((nanos) => Math.round(nanos / 1000));
  const percents = shareOut(100, weights);
  const usual = usualOf(scope, question, { units, whole: partition.whole });
  const { usd, responses, unpriced } = scope.totals();
  const { since, until, project, program } = question;
  return {
    since,
    until,
    project,
    program,
    session: session === null ? null : pick(session),
    usd,
    calls: responses,
    unpriced,
    usual,
    clauses: shown.map((part, index) => clauseOf(scope, part, percents[index] ?? 0)),
    rest: {
      usd: usdOf(rest),
      percent: percents.at(-1) ?? 0,
      text: restText(shown.length === 0, restIs(usual, usdOf(rest))),
    },
    change: changeOf(scope, shown, partition.whole),
  };
}

/** More than this multiple of the usual cost is not as usual. */
const notUsual = 1.5;

function restIs(usual: Why["usual"], rest: number): RestIs {
  if (usual === null) return null;
  return rest > notUsual * usual.usd ? "more" : "usual";
}

function usualOf(
  scope: WhyScope,
  { since, until }: WhyQuestion,
  { units, whole }: { readonly units: HistoryUnits; readonly whole: number },
): Why["usual"] {
  if (units.size < minHistory || whole === 0) return null;
  const sums = [...units.values()].map(sumOf);
  if (scope.session !== null)
    return withText({ usd: usdOf(Math.round(median(sums))), of: "sessions", count: sums.length, days: 1 });
  const weekday = since === null || since !== until ? null : weekdayOf(since);
  const same = [...units].flatMap(([day, cells]) => (weekdayOf(day) === weekday ? sumOf(cells) : []));
  const isWeekday = same.length >= minWeekdays;
  const values = isWeekday ? same : sums;
  const days = Math.max(1, scope.days.size);
  return withText({
    usd: usdOf(Math.round(median(values) * days)),
    of: isWeekday ? "weekday" : "days",
    count: values.length,
    days,
  });
}

function withText(usual: Parameters<typeof usualText>[0]): NonNullable<Why["usual"]> {
  return { ...usual, text: usualText(usual) };
}

/** In UTC every day has 24 hours. */
function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

function clauseOf(scope: WhyScope, part: Part<Subject>, percent: number): WhyClause {
  const { of, nanos, bySession } = part;
  const proofs = [...bySession]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxProofs)
    .flatMap(([id, each]) =>
      proofOf(scope, { id, cause: of.kind === "session" ? of.cause : "any", nanos: each }),
    );
  return {
    cause: of.cause,
    usd: usdOf(nanos),
    percent,
    text: textOf(scope, of),
    proofs,
    sessions: bySession.size,
  };
}

function proofOf(
  scope: WhyScope,
  { id, cause, nanos }: { readonly id: string; readonly cause: string; readonly nanos: number },
): WhyProof[] {
  const facts = scope.facts.get(id);
  if (facts === undefined) return [];
  const turns = scope
    .foundOf(cause, id)
    .flatMap((found) => found.turns)
    .sort((one, other) => other.nanos - one.nanos)
    .slice(0, maxTurns)
    .map(({ messageId, number }) => ({ messageId, number }));
  return [{ session: pick(facts), usd: usdOf(nanos), turns }];
}

function pick({ id, program, title, cwd, branch, firstAt, lastAt }: SessionFacts): WhySession {
  return { id, program, title, cwd, branch, firstAt, lastAt };
}

function textOf(scope: WhyScope, of: Subject): WhyClause["text"] {
  switch (of.kind) {
    case "session":
      return clauseText(of.cause, scope.evidenceOf(of.cause));
    case "model":
      return dearerText(of.model, of.usual);
    case "new":
      return newText(groupName(of.group));
    case "day":
      return spikeText(of.day, of.times);
    case "multiple": {
      const times = of.nanos / of.usual;
      return scope.session === null
        ? multipleText(groupName(of.group), times)
        : largerText(scope.totals().responses, times);
    }
  }
}

type Saving = Omit<WhyChange, "usd"> & { readonly nanos: number };

/** The change that would have saved most. A change saves at most its clause. */
function changeOf(scope: WhyScope, parts: readonly Part<Subject>[], whole: number): WhyChange | null {
  const [best] = parts
    .flatMap((part): Saving[] => {
      const change = savingOf(scope, part);
      return change === null ? [] : [{ ...change, nanos: Math.min(part.nanos, Math.floor(change.nanos)) }];
    })
    .filter(({ nanos }) => nanos >= Math.max(minSaved, minSavedShare * whole))
    .sort((one, other) => other.nanos - one.nanos);
  if (best === undefined) return null;
  const { nanos, ...change } = best;
  return { ...change, usd: usdOf(nanos) };
}

function savingOf(scope: WhyScope, { of, nanos }: Part<Subject>): Saving | null {
  switch (of.kind) {
    case "model":
      return { ...modelChange(of.usual), nanos };
    case "new":
    case "day":
      return null;
    case "multiple": {
      const budget = of.usual * budgetFactor;
      const isSession = scope.session !== null;
      const days = isSession ? 1 : Math.max(1, scope.days.size);
      const usd = usdOf(Math.round(budget / days));
      const change = budgetChange(isSession ? null : groupName(of.group), { usd, count: of.count });
      return { ...change, nanos: of.nanos - budget };
    }
    case "session": {
      const { saved, labels } = scope.evidenceOf(of.cause);
      const [label = ""] = labels.keys();
      const change = changeText(of.cause, label);
      return change === null ? null : { ...change, nanos: saved };
    }
  }
}
