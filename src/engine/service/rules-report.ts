import { medianOf } from "../ledger/queries.ts";
import type { ReportFacts } from "../ledger/report-facts.ts";
import type { RealRun } from "../ledger/rule-book.ts";
import { ruleText } from "../rules/rule.ts";
import type { Rules } from "./rules-ledger.ts";
import { learningCurve, nearestRank } from "./learning-curve.ts";
import type { ReportView } from "./rules-view.ts";

const mostProjects = 20;
const mostEvictions = 10;
/** Of an agent: others were run longer ago. */
const mostSuites = 3;

/** Runs, suites and rules of each agent, and what was evicted lately. */
export function reportOf(
  { rules, book }: Rules,
  runs: readonly RealRun[],
  { suites, questions, spent }: ReportFacts,
): ReportView {
  const agents = [...new Set([...rules, ...runs, ...suites].map(({ agent }) => agent))].sort();
  return {
    agents: agents.map((agent) => {
      const tokens = runs
        .filter((run) => run.agent === agent)
        .map(({ processingTokens }) => processingTokens);
      const own = rules.filter((rule) => rule.agent === agent);
      const active = own.filter(({ status }) => status === "active");
      const count = (status: string) => own.filter((rule) => rule.status === status).length;
      return {
        ...{ agent, runs: tokens.length, median: medianOf(tokens), p75: nearestRank(tokens, 0.75) },
        rules: {
          ...{ candidate: count("candidate"), approved: count("approved"), measured: count("measured") },
          ...{ active: count("active"), shelved: count("shelved"), evicted: count("evicted") },
        },
        rent: active.reduce((sum, { rent }) => sum + rent, 0),
        saving: active.reduce((sum, { saving }) => sum + (saving ?? 0), 0),
        learned: learningCurve(
          runs.filter((run) => run.agent === agent),
          book.memories.filter((memory) => memory.agent === agent),
        ),
        suites: suites
          .filter((suite) => suite.agent === agent)
          .slice(0, mostSuites)
          .map(({ model, suiteHash, driver, tasks, run1, best, last, lastAt }) => ({
            ...{ model, suiteHash, driver, tasks },
            ...{ run1, best, last, lastAt },
          })),
      };
    }),
    projects: projectsOf(runs),
    evictions: rules
      .filter(({ status }) => status === "evicted")
      .toSorted((one, other) => (other.decidedAt ?? 0) - (one.decidedAt ?? 0))
      .slice(0, mostEvictions)
      .map((rule) => ({
        ...{ id: rule.id, agent: rule.agent, text: ruleText(rule), at: rule.decidedAt },
        why: rule.decidedReason ?? "",
      })),
    receipts: book.receipts.filter(({ subject }) => subject === "rule").length,
    questions: { count: questions.count, newest: [...questions.newest] },
    metaCost: { ...spent, share: spent.realWork > 0 ? spent.benches / spent.realWork : null },
  };
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
    .slice(0, mostProjects);
}
