import { nearestRank } from "../base/numbers.ts";
import { joinSentences, sentence, type Sentence } from "../base/language.ts";
import { wholeNumber } from "../base/format.ts";
import { maxLimit, type LevelName, type PeriodName } from "./budget.ts";
import type { AgentDay, SessionTotals } from "./spending/session-totals.ts";

export interface Proposal {
  readonly level: LevelName;
  readonly period: PeriodName;
  /** Processing tokens. */
  readonly limit: number;
  /** The user's own work, or a documented default if there is too little of it. */
  readonly basis: "history" | "default";
  /** Reason for the amount, in a few plain words. */
  readonly source: Sentence;
}

export interface ProposalBasis {
  /** The project's sessions, by day as far back as the periods reach. */
  readonly totals: readonly SessionTotals[];
  readonly runs: readonly number[];
  /** The model that worked here last; null if unknown. */
  readonly model: string | null;
  /** The current local day, which is left out because it is not over. */
  readonly today: string;
  /**
   * The branch of the convoy. Its own usage is excluded; totals of other branches show what such work takes.
   */
  readonly branch?: string | null;
  /** Number of lines the work is expected to write; null if unknown. */
  readonly lines?: number | null;
}

/** Minimum samples for an estimate. */
const minSamples = 5;
/** A limit should stop what runs away, not one day in ten. */
const [highShare, headroom] = [0.9, 1.5];
const daysIn: Readonly<Partial<Record<PeriodName, number>>> = { week: 5, month: 20 };

/**
 * Documented defaults for users without a history. A task of a few agents takes 75,000 to 300,000 processing tokens with models of the Opus class,
 * 30,000 to 150,000 with the Sonnet class. 100 lines of output are about 1,500 tokens; reading, planning and fixing take 3 to 5 times that.
 */
const modelClasses = {
  opus: { name: "Opus", convoy: [75_000, 300_000], agent: 100_000, day: 1_000_000 },
  sonnet: { name: "Sonnet", convoy: [30_000, 150_000], agent: 50_000, day: 500_000 },
} as const;
const outputTokens = { per100Lines: 1500, reserve: [3, 5], chosen: 4 } as const;

export function proposeLimit(level: LevelName, period: PeriodName, basis: ProposalBasis): Proposal {
  const { lines = null } = basis;
  if (lines !== null && level === "convoy" && period === "total") return fromLines(lines);
  const { amounts, describe } = samplesOf(level, period, basis);
  if (amounts.length >= minSamples) return fromHistory({ level, period }, amounts, describe(amounts.length));
  const days = daysIn[period];
  if (days !== undefined) {
    const day = proposeLimit(level, "day", basis);
    const limit = rounded(day.limit * days);
    return {
      ...day,
      period,
      limit,
      source: sentence("{days} times a day's {limit}: {source}", {
        days,
        limit: wholeNumber(day.limit),
        source: day.source,
      }),
    };
  }
  return documented(level, period, basis.model);
}

/** Usage at or above this share leaves a new limit no room. */
const nearlyUsed = 0.8;

/** Raises a proposal that past usage would nearly fill: a new limit is for future work. @param used tokens; null if unknown */
export function aboveUsed(proposal: Proposal, used: number | null): Proposal {
  if (used === null || used < proposal.limit * nearlyUsed) return proposal;
  const limit = Math.min(maxLimit, rounded(Math.max(used + proposal.limit, used * headroom)));
  return {
    ...proposal,
    limit,
    source: joinSentences(
      [proposal.source, sentence("beside the {0} that are used by now", wholeNumber(used))],
      "; ",
    ),
  };
}

function fromHistory(
  of: Pick<Proposal, "level" | "period">,
  amounts: readonly number[],
  samples: Sentence,
): Proposal {
  const sorted = amounts.toSorted((one, other) => one - other);
  const usual = nearestRank(sorted, highShare);
  const limit = rounded(Math.max(1, usual * headroom));
  const source = sentence("9 of 10 of your last {samples} took {usual} or less; half as much again", {
    samples,
    usual: wholeNumber(usual),
  });
  return { ...of, limit, basis: "history", source };
}

function fromLines(lines: number): Proposal {
  const output = Math.max(1, (lines / 100) * outputTokens.per100Lines);
  const [minimum, maximum] = outputTokens.reserve;
  const source = sentence(
    "documented default for {0} lines: about {1} tokens of output, and {2} to {3} times that in all",
    wholeNumber(lines),
    wholeNumber(output),
    minimum,
    maximum,
  );
  return {
    level: "convoy",
    period: "total",
    limit: rounded(output * outputTokens.chosen),
    basis: "default",
    source,
  };
}

function documented(level: LevelName, period: PeriodName, model: string | null): Proposal {
  const { name, convoy, agent, day } = modelClasses[classOf(model)];
  const [minimum, maximum] = convoy;
  const isSmall = level === "agent" || level === "session" || period === "run";
  const limit = level === "project" ? day : isSmall ? agent : maximum;
  const standard =
    model === null
      ? sentence("typical for {0}, as no model is known yet", name)
      : sentence("typical for {0}", name);
  const source =
    limit === maximum
      ? sentence("{default}: {least} to {most} a group", {
          default: standard,
          least: wholeNumber(minimum),
          most: wholeNumber(maximum),
        })
      : standard;
  return { level, period, limit, basis: "default", source };
}

/** Returns the class of documented defaults for a model; the larger one for an unknown model. */
function classOf(model: string | null): keyof typeof modelClasses {
  return /sonnet|haiku|mini|nano|flash|lite/iu.test(model ?? "") ? "sonnet" : "opus";
}

/** Long-lived branches are not a piece of work. */
const trunks = /^(?:main|master|trunk|develop|dev|HEAD)$/u;

interface Unit {
  readonly unit: string;
  readonly row: AgentDay;
}

/** Returns what such limits would have counted in the past, one amount per completed period and subject. */
function samplesOf(
  level: LevelName,
  period: PeriodName,
  basis: ProposalBasis,
): { readonly amounts: readonly number[]; readonly describe: (count: number) => Sentence } {
  if (period === "run") return { amounts: basis.runs, describe: (count) => sentence("{0} runs", count) };
  const rows = basis.totals.flatMap((session) =>
    session.agents.flatMap((row) => unitOf(level, session, row, basis)),
  );
  const amounts = new Map<string, number>();
  for (const { unit, row } of rows) {
    const bucket = bucketOf(period, row.day, basis.today);
    if (bucket === null) continue;
    const key = `${bucket} ${unit}`;
    amounts.set(key, (amounts.get(key) ?? 0) + row.tokens);
  }
  const used = [...amounts.values()].filter((tokens) => tokens > 0);
  return { amounts: used, describe: describeSamples[level][period] };
}

function unitOf(
  level: LevelName,
  { sessionId, branch: last }: SessionTotals,
  row: AgentDay,
  { branch: own = null }: ProposalBasis,
): Unit[] {
  switch (level) {
    case "project":
      return [{ unit: "", row }];
    case "convoy": {
      const branch = row.branch ?? last;
      return branch === null || branch === own || trunks.test(branch) ? [] : [{ unit: branch, row }];
    }
    case "session":
      return [{ unit: sessionId, row }];
    case "agent":
      return [{ unit: `${sessionId} ${row.agentId}`, row }];
  }
}

/** Returns the period of a day; null if it is not over, or the day is unknown. */
function bucketOf(period: PeriodName, day: string | null, today: string): string | null {
  if (period === "total") return "";
  if (day === null) return null;
  const bucket = period === "day" ? day : period === "month" ? day.slice(0, 7) : mondayOf(day);
  const present = period === "day" ? today : period === "month" ? today.slice(0, 7) : mondayOf(today);
  return bucket === present ? null : bucket;
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

const describeSamples: Readonly<
  Record<LevelName, Readonly<Record<Exclude<PeriodName, "run">, (count: number) => Sentence>>>
> = {
  project: {
    total: (count) => sentence("{0} totals", count),
    day: (count) => sentence("{0} days", count),
    week: (count) => sentence("{0} weeks", count),
    month: (count) => sentence("{0} months", count),
  },
  convoy: {
    total: (count) => sentence("{0} branches", count),
    day: (count) => sentence("{0} days of a branch", count),
    week: (count) => sentence("{0} weeks of a branch", count),
    month: (count) => sentence("{0} months of a branch", count),
  },
  session: {
    total: (count) => sentence("{0} sessions", count),
    day: (count) => sentence("{0} days of a session", count),
    week: (count) => sentence("{0} weeks of a session", count),
    month: (count) => sentence("{0} months of a session", count),
  },
  agent: {
    total: (count) => sentence("{0} agents", count),
    day: (count) => sentence("{0} days of an agent", count),
    week: (count) => sentence("{0} weeks of an agent", count),
    month: (count) => sentence("{0} months of an agent", count),
  },
};

function rounded(tokens: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(tokens)) - 1);
  return Math.ceil(tokens / unit) * unit;
}
