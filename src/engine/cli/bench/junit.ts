import { cleanText } from "../../base/text.ts";
import type { BenchRun } from "../../bench/run-facts.ts";
import type { BenchReport } from "./bench-outcome.ts";

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
