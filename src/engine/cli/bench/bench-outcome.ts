import type { Sentence } from "../../base/language.ts";
import type { Shard } from "../../bench/bench-request.ts";
import { isEvidence, type BenchRun, type DriverName } from "../../bench/run-facts.ts";
import { configurationHash, type Configuration } from "../../bench/configuration.ts";
import type { BenchPlan } from "../../bench/plan.ts";
import { unsteadyRuns } from "../../bench/execute.ts";
import type { GoldenBaseline } from "../../ledger/rule-questions.ts";
import type { BenchJson } from "./bench-schema.ts";
import { cleanText } from "../../base/text.ts";

export interface BenchReport {
  readonly id: string;
  readonly state: BenchJson["state"];
  readonly reason: Sentence | null;
  readonly driver: DriverName;
  readonly recordedBy: readonly string[];
  readonly seed: number;
  readonly shard: Shard | null;
  readonly plan: BenchPlan | null;
  readonly configurations: readonly Configuration[];
  readonly runs: readonly BenchRun[];
  /** Empty if the ledger could not be read. */
  readonly baselines: readonly GoldenBaseline[];
}

export type TaskFigures = BenchJson["tasks"][number];

/** One row per agent, task and configuration. */
export function taskFigures({ runs, baselines }: Pick<BenchReport, "runs" | "baselines">): TaskFigures[] {
  const groups = new Map<string, BenchRun[]>();
  for (const run of runs.filter(isEvidence)) {
    const key = [run.agent, run.taskId, run.side].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const unsteady = new Set(unsteadyRuns(runs).map(({ side, taskId }) => `${taskId}\n${side}`));
  const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { agent, taskId, side } = first;
    const passed = group.filter(({ outcome }) => outcome === "passed");
    const sum = passed.reduce((total, { processingTokens }) => total + processingTokens, 0);
    const reference = baselineOf(first, baselines);
    return [
      {
        agent,
        taskId,
        side,
        runs: group.length,
        passed: passed.length,
        tokens: passed.length === 0 ? null : Math.round(sum / passed.length),
        run1: reference?.run1Tokens ?? null,
        best: reference?.bestTokens ?? null,
        isUnsteady: unsteady.has(`${taskId}\n${side}`),
      },
    ];
  });
}

function baselineOf(run: BenchRun, baselines: readonly GoldenBaseline[]): GoldenBaseline | undefined {
  return baselines.find(
    ({ agent, taskHash, model, suiteHash, driver }) =>
      agent === run.agent &&
      taskHash === run.taskHash &&
      model === run.model &&
      suiteHash === run.suiteHash &&
      driver === run.driver,
  );
}

export function benchToJson(bench: BenchReport): BenchJson {
  const { id, state, reason, driver, recordedBy, seed, shard, plan, configurations, runs } = bench;
  return {
    schema: 1,
    id,
    state,
    reason,
    driver,
    recordedBy: [...recordedBy],
    seed,
    shard,
    plan: plan === null ? null : planToJson(plan),
    configurations: configurations.map((each) => ({
      label: each.label,
      agent: each.agent,
      model: each.model,
      hash: configurationHash(each),
      role: each.role,
    })),
    tasks: taskFigures(bench),
    runs: [...runs],
  };
}

function planToJson({
  runs,
  made,
  tokens,
  usd,
  expected,
  smallestSaving,
  warnings,
  install,
}: BenchPlan): BenchJson["plan"] {
  const { source, because } = expected;
  return { runs, made, tokens, usd, source, because, smallestSaving, warnings: [...warnings], install };
}

/** Formats a bench as JUnit XML for CI: one suite per agent, one case per run. Runs that prove nothing are skipped cases. */
export function benchToJunit({ id, runs, configurations, driver, recordedBy }: BenchReport): string {
  const agents = [...new Set(runs.map(({ agent }) => agent))].sort();
  const suites = agents.map((agent) => {
    const own = runs.filter((run) => run.agent === agent);
    const count = (wanted: readonly BenchRun["outcome"][]) =>
      own.filter(({ outcome }) => wanted.includes(outcome)).length;
    const figures =
      `tests="${own.length}" failures="${count(["failed", "limit"])}" ` +
      `skipped="${count(["environment", "cancelled"])}" time="${seconds(own)}"`;
    const how = driver === "replay" ? `replay (${recordedBy.join(", ")})` : driver;
    const cases = own.map((run) => caseOf(run, configurations[run.side]?.label.text ?? ""));
    return [
      `  <testsuite name="${attribute(agent)}" ${figures}>`,
      `    <properties><property name="driver" value="${attribute(how)}"/></properties>`,
      ...cases,
      "  </testsuite>",
    ].join("\n");
  });
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${attribute(`purser bench ${id}`)}">`;
  return `${[head, ...suites].join("\n")}\n</testsuites>\n`;
}

function caseOf(run: BenchRun, label: string): string {
  const name = `${run.taskId} (${label}, round ${run.round})`;
  const open = `    <testcase classname="${attribute(run.agent)}" name="${attribute(name)}" time="${seconds([run])}">`;
  const tokens = `<properties><property name="tokens" value="${run.processingTokens}"/></properties>`;
  return `${open}${tokens}${outcomeOf(run)}</testcase>`;
}

function outcomeOf({ outcome, detail }: BenchRun): string {
  const message = attribute(detail?.text ?? outcome);
  switch (outcome) {
    case "passed":
      return "";
    case "failed":
    case "limit":
      return `<failure type="${outcome}" message="${message}"/>`;
    case "environment":
    case "cancelled":
      return `<skipped message="${message}"/>`;
  }
}

function seconds(runs: readonly BenchRun[]): string {
  return (runs.reduce((sum, { durationMs, checkMs }) => sum + durationMs + checkMs, 0) / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Cleans the text first: XML cannot represent control characters. */
function attribute(text: string): string {
  return cleanText(text).replace(/[&<>"]/gu, (character) => entities[character] ?? "");
}
