import type { RealRun } from "../ledger/rule-book.ts";
import { medianOf } from "../ledger/queries.ts";
import { ruleText } from "../rules/rule.ts";
import type { Rules } from "./rules-ledger.ts";
import type { ReportView } from "./rules-view.ts";

const mostProjects = 20;
const mostEvictions = 10;

/** Runs and rules of each agent, and what was evicted lately. */
export function reportOf({ rules, book }: Rules, runs: readonly RealRun[]): ReportView {
  const agents = [...new Set([...rules, ...runs].map(({ agent }) => agent))].sort();
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

function nearestRank(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}
