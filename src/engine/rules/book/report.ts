import { plainSentence } from "../../base/language.ts";
import { ascending, median, nearestRank, mean } from "../../base/numbers.ts";
import type { TaskResults, ReportFacts, RealRun, RuleBook } from "../../ledger/rule-questions.ts";
import { ruledProgram } from "../needs.ts";
import { ruleText, type Rule } from "../rule.ts";
import { costAtMeasuring, type Rules, type RulesLedger } from "./rules-book-rows.ts";
import type { ActiveView, ReportView, LearnedView } from "../rules-answers.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { findingsOf } from "../distil/distilled.ts";
import { readKnown, maxRuns } from "./known.ts";
import type { AskNeeds } from "../needs-here.ts";

const maxProjects = 20;
const maxEvictions = 10;
/** Maximum suites per agent, the most recently run first. */
const maxSuites = 3;

interface ReportedRuns {
  readonly all: readonly RealRun[];
  /** Runs of the reported project; all runs for a report about all projects. */
  readonly runs: readonly RealRun[];
  readonly project: string | null;
}

export function reportOf(
  { rules, book }: Rules,
  { all, runs, project }: ReportedRuns,
  found: {
    readonly facts: ReportFacts;
    readonly findings: ReportView["findings"];
    /** Tokens per session that a rule costs. */
    readonly cost: (rule: Rule) => number;
    /** Weights of golden tasks by hash; 1 where missing. */
    readonly taskWeights: ReadonlyMap<string, number>;
  },
): ReportView {
  const { suites, questions, spent } = found.facts;
  return {
    project,
    agents: agentsIn(runs, [...rules, ...suites]).map(({ program, agent }) => {
      const ran = runs.filter((run) => run.agent === agent && run.program === program);
      const tokens = ran.map(({ processingTokens }) => processingTokens);
      // Another program's agent of the same name has no rules and no suite.
      const isRuled = program === ruledProgram;
      const own = rules.filter((rule) => isRuled && rule.agent === agent);
      const active = own.filter(({ status }) => status === "active");
      const count = (status: string) => own.filter((rule) => rule.status === status).length;
      return {
        program,
        agent,
        runs: tokens.length,
        median: tokens.length === 0 ? null : median(tokens),
        p75: tokens.length === 0 ? null : nearestRank(ascending(tokens), 0.75),
        weeks: weeksOf(ran),
        rules: {
          candidate: count("candidate"),
          approved: count("approved"),
          measured: count("measured"),
          active: count("active"),
          shelved: count("shelved"),
          evicted: count("evicted"),
        },
        active: active.map((rule) => activeViewOf(rule, found.cost(rule))).toSorted(bySaving),
        rent: active.reduce((sum, rule) => sum + found.cost(rule), 0),
        saving: active.reduce((sum, { saving }) => sum + (saving ?? 0), 0),
        learned: learningCurve(
          ran,
          book.memories.filter((memory) => isRuled && memory.agent === agent),
        ),
        suites: suites
          .filter((suite) => isRuled && suite.agent === agent)
          .slice(0, maxSuites)
          .map(({ model, suiteHash, driver, tasks, lastAt }) => ({
            model,
            suiteHash,
            driver,
            tasks: tasks.length,
            ...perRun(tasks, found.taskWeights),
            lastAt,
          })),
      };
    }),
    projects: projectsOf(all),
    evictions: rules
      .filter(({ status }) => status === "evicted")
      .toSorted((one, other) => (other.decidedAt ?? 0) - (one.decidedAt ?? 0))
      .slice(0, maxEvictions)
      .map((rule) => ({
        id: rule.id,
        agent: rule.agent,
        text: ruleText(rule),
        at: rule.decidedAt,
        why: rule.decidedReason ?? plainSentence(""),
      })),
    receipts: book.receipts.filter(({ subject }) => subject === "rule").length,
    findings: found.findings,
    questions: { ...questions, newest: [...questions.newest], byAgent: [...questions.byAgent] },
    metaCost: { ...spent, share: spent.realWork > 0 ? spent.benches / spent.realWork : null },
  };
}

/** A run's tokens, the mean of all tasks by weight, as benchmarks show it. `last` is null unless every task has one. */
function perRun(
  tasks: readonly TaskResults[],
  weights: ReadonlyMap<string, number>,
): { run1: number; best: number; last: number | null } {
  const whole = tasks.reduce((sum, { hash }) => sum + (weights.get(hash) ?? 1), 0);
  const mean = (of: (task: TaskResults) => number | null) =>
    tasks.reduce<number | null>((sum, task) => {
      const value = of(task);
      return sum === null || value === null ? null : sum + (value * (weights.get(task.hash) ?? 1)) / whole;
    }, 0);
  return {
    run1: mean(({ run1 }) => run1) ?? 0,
    best: mean(({ best }) => best) ?? 0,
    last: mean(({ last }) => last),
  };
}

const day = 24 * 60 * 60_000;
const week = 7 * day;
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * day;

/** Medians of new tokens a run, by the week in which it ended. */
function weeksOf(
  runs: readonly Pick<RealRun, "endedAt" | "processingTokens">[],
): ReportView["agents"][number]["weeks"] {
  const byWeek = new Map<number, number[]>();
  for (const { endedAt, processingTokens } of runs) {
    const at = Math.floor((endedAt - firstMonday) / week) * week + firstMonday;
    byWeek.set(at, [...(byWeek.get(at) ?? []), processingTokens]);
  }
  return [...byWeek]
    .toSorted(([one], [other]) => one - other)
    .map(([at, tokens]) => ({ at, runs: tokens.length, median: median(tokens) }));
}

/**
 * Agents by name and program. Agents with rules or golden suites count as Claude Code's, even without runs.
 */
function agentsIn(
  runs: readonly RealRun[],
  ruled: readonly { readonly agent: string }[],
): Pick<RealRun, "program" | "agent">[] {
  const found = new Map<string, Pick<RealRun, "program" | "agent">>();
  for (const { program, agent } of [...runs, ...ruled.map((each) => ({ ...each, program: ruledProgram }))])
    found.set(JSON.stringify([agent, program]), { program, agent });
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function activeViewOf(rule: Rule, rent: number): ActiveView {
  const { id, origin, saving, decidedAt: since, auditedAt: measuredAt } = rule;
  return { id, text: ruleText(rule), origin, saving, rent, since, measuredAt };
}

function bySaving(one: ActiveView, other: ActiveView): number {
  return (other.saving ?? -Infinity) - (one.saving ?? -Infinity) || (one.id < other.id ? -1 : 1);
}

function projectsOf(runs: readonly RealRun[]): ReportView["projects"] {
  const projects = new Map<string, { runs: number; tokens: number }>();
  for (const { project, processingTokens } of runs) {
    const sum = projects.get(project ?? "unknown") ?? { runs: 0, tokens: 0 };
    projects.set(project ?? "unknown", { runs: sum.runs + 1, tokens: sum.tokens + processingTokens });
  }
  return [...projects]
    .map(([project, sum]) => ({ project, ...sum }))
    .toSorted((one, other) => other.tokens - one.tokens)
    .slice(0, maxProjects);
}

/**
 * Groups an agent's completed runs by the version of its memory, oldest first; runs before the first version lead.
 *
 * @param runs of one agent, oldest first
 * @param memories of the same agent
 */
export function learningCurve(
  runs: readonly Pick<RealRun, "rulesetVersion" | "processingTokens" | "endedAt">[],
  memories: RuleBook["memories"],
): LearnedView[] {
  const versions = new Set(runs.map(({ rulesetVersion }) => rulesetVersion));
  const points = [...versions].map((version) => {
    const own = runs.filter(({ rulesetVersion }) => rulesetVersion === version);
    const tokens = ascending(own.map(({ processingTokens }) => processingTokens));
    const memory = memories.find((each) => each.version === version);
    const first = own[0]?.endedAt ?? 0;
    return {
      // A version without a recorded memory counts from the end of its first run.
      began: version === null ? -Infinity : (memory?.at ?? first),
      point: {
        version,
        at: memory?.at ?? null,
        rules: memory?.ruleIds.length ?? null,
        runs: own.length,
        mean: mean(tokens),
        median: median(tokens),
        p25: nearestRank(tokens, 0.25),
        p75: nearestRank(tokens, 0.75),
      },
    };
  });
  return points.toSorted((one, other) => one.began - other.began).map(({ point }) => point);
}

interface AskedReport {
  /** Whose runs are reported; null for all. */
  readonly project: string | null;
  /** Weights of golden tasks by hash; 1 where missing. */
  readonly taskWeights: ReadonlyMap<string, number>;
}

export async function readReport(
  { project, taskWeights }: AskedReport,
  ports: { readonly ledger: RulesLedger; readonly clock: Clock; readonly needs: AskNeeds },
): Promise<Result<{ report: ReportView }>> {
  const { ledger, clock, needs } = ports;
  const known = await readKnown(ports);
  const facts = await ledger.ask("reportFacts", clock.now() - week);
  if (!known.ok) return known;
  if (!facts.ok) return facts;
  const { rules, runs: all, rent } = known.value;
  const runs = project === null ? succeed(all) : await ledger.ask("realRuns", { most: maxRuns, project });
  if (!runs.ok) return runs;
  const found = await findingsOf(rules, ledger, needs);
  if (!found.ok) return found;
  const cost = (rule: Rule) => costAtMeasuring(rules.book, rule.id) ?? rent(rule).total;
  const read = { facts: facts.value, findings: found.value, taskWeights, cost };
  return succeed({ report: reportOf(rules, { all, runs: runs.value, project }, read) });
}
