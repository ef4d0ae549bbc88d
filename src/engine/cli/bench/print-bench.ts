import { plainSentence, plural, t } from "../../base/language.ts";
import { dash } from "../../base/format.ts";
import { dollars, percent, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import { type BenchRun, measuresModel, isEvidence, type ConfigurationRole } from "../../bench/run-facts.ts";
import { type BenchProgress } from "../../bench/bench-entries.ts";
import type { Configuration } from "../../bench/configuration.ts";
import { describeInstall, describeReplay, type BenchPlan } from "../../bench/plan.ts";
import { benchFolderName } from "../../bench/bench-request.ts";
import { taskFigures, type TaskFigures, type BenchReport } from "./bench-outcome.ts";
import type { CliHost, Output } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { figures, alignColumns, type Column } from "../table.ts";
import { asLine } from "../terminal-text.ts";

export function printPlan(
  plan: BenchPlan,
  { id, seed, configurations }: Pick<BenchReport, "id" | "seed" | "configurations">,
  out: Output,
): void {
  const line = (text: string) => out.write(`${cleanText(text)}\n`);
  const agents = configurations
    .map(({ agent, model, label, role }) =>
      t("{0} with {1}, {2}", agent, model, `${roleNames[role]}${asLine(label)}`),
    )
    .join("; ");
  line(t("Bench {0}: {1} (seed {2})", id, agents, seed));
  const made = plan.made === 0 ? "" : `, ${t("{0} of them already completed", plan.made)}`;
  if (!measuresModel(plan.driver)) {
    line(`${t("{0} runs{1}, free.", plan.runs, made)} ${asLine(describeReplay(plan.recordedBy))}`);
  } else {
    const price = plan.usd === null ? t("price unknown") : t("about {0} at list price", dollars(plan.usd));
    line(
      t(
        "{0} runs{1} with {2}: about {3} tokens, {4}",
        plan.runs,
        made,
        plan.driver,
        shortNumber(plan.tokens),
        price,
      ),
    );
    line(
      t("Expected: {0} tokens a run ({1})", wholeNumber(plan.expected.perRun), asLine(plan.expected.because)),
    );
    if (plan.tokenCap !== null) line(t("Cap: {0} tokens", wholeNumber(plan.tokenCap)));
    if (plan.metaCost !== null)
      line(
        t(
          "Benchmarks of the last seven days, with this one: {0} of your real work",
          percent(plan.metaCost.share * 100),
        ),
      );
  }
  if (plan.smallestSaving !== null)
    line(t("Smallest detectable difference: about {0} tokens a run", shortNumber(plan.smallestSaving)));
  if (plan.install !== null) line(asLine(describeInstall(plan.install)));
  for (const warning of plan.warnings) line(t("Warning: {0}", asLine(warning)));
}

const roleNames: Readonly<Record<ConfigurationRole, string>> = {
  active: `${t("unchanged")}, `,
  audit: `${t("re-audited")}, `,
  candidate: "",
};

const outcomeWords: Readonly<Record<BenchRun["outcome"], string>> = {
  passed: t("passed"),
  failed: t("failed"),
  limit: t("limit"),
  environment: t("environment"),
  cancelled: t("cancelled"),
};

/** Prints a line per finished run; on a terminal also the running one, on a last line that is cleared. */
export function progressPrinter(
  configurations: readonly Configuration[],
  { stderr }: Pick<CliHost, "stderr">,
): (progress: BenchProgress) => void {
  const isLive = stderr.isTTY === true;
  const clear = isLive ? "\r\u001b[K" : "";
  return (progress) => {
    if (progress.kind === "ended") {
      const { run, done, of } = progress;
      stderr.write(`${clear}${cleanText(`${done}/${of}: ${lineOf(run, configurations)}`)}\n`);
    } else if (progress.kind === "live" && isLive) {
      const { taskId, turns, processingTokens, tool } = progress.run;
      const now = t(
        "{0}: turn {1}, {2} tokens, {3}",
        taskId,
        turns,
        shortNumber(processingTokens),
        tool ?? "",
      );
      stderr.write(`${clear}${cutMiddle(cleanText(now), 78)}`);
    } else if (progress.kind === "preparing" && isLive) {
      const { fetched, packages } = progress;
      stderr.write(`${clear}${t("Preparing the project: {0} of {1} packages", fetched, packages)}`);
    } else if (progress.kind === "resumed") {
      const made = progress.runs.filter(isEvidence).length;
      stderr.write(`${plural(made, t("1 run was made before"), t("{0} runs were made before", made))}\n`);
    }
  };
}

function lineOf(run: BenchRun, configurations: readonly Configuration[]): string {
  const label = asLine(configurations[run.side]?.label ?? plainSentence(""));
  const summary = t(
    "{0} tokens, {1} turns, {2} s",
    shortNumber(run.processingTokens),
    run.turns,
    Math.round(run.durationMs / 1000),
  );
  const why =
    run.outcome === "passed" || run.detail === null ? "" : `: ${cutMiddle(asLine(run.detail), 160)}`;
  const what = t(
    "{0}, {1}, round {2}: {3}, {4}",
    run.taskId,
    label,
    run.round,
    outcomeWords[run.outcome],
    summary,
  );
  return `${what}${why}`;
}

export function printResults(bench: BenchReport, host: Pick<CliHost, "stdout" | "env">): void {
  const { stdout } = host;
  const perTask = taskFigures(bench);
  if (perTask.length > 0) stdout.write(`\n${tableOf(perTask, bench, host)}`);
  const unsteady = perTask.filter(({ isUnsteady }) => isUnsteady).length;
  if (unsteady > 0)
    stdout.write(`* ${t("completed runs differ by more than 25%: use more runs (--runs)")}\n`);
  if (!measuresModel(bench.driver)) stdout.write(`${asLine(describeReplay(bench.recordedBy))}\n`);
  else if (bench.runs.every(({ role }) => role !== "active"))
    stdout.write(`${t("Not the unchanged agent, so this does not count for its baseline.")}\n`);
  if (bench.state === "paused")
    stdout.write(`${t("Paused: {0}", asLine(bench.reason ?? plainSentence("")))}\n`);
  if (bench.state === "paused" || bench.state === "cancelled")
    stdout.write(
      `${t("To continue: {0}", `purser bench --resume ${benchFolderName(bench.id, bench.shard)}`)}\n`,
    );
}

function tableOf(
  perTask: readonly TaskFigures[],
  { configurations }: BenchReport,
  host: Pick<CliHost, "stdout" | "env">,
): string {
  const hasSides = new Set(configurations.map(({ agent }) => agent)).size < configurations.length;
  const number = (value: number | null) => (value === null ? dash : wholeNumber(value));
  const rows = perTask.map((each) => [
    each.taskId,
    ...(hasSides ? [asLine(configurations[each.side]?.label ?? plainSentence(""))] : []),
    `${each.passed}/${each.runs}`,
    `${number(each.tokens)}${each.isUnsteady ? " *" : ""}`,
    number(each.run1),
    number(each.best),
  ]);
  const columns: readonly Column[] = [
    { title: t("Task"), fit: "middle" },
    ...(hasSides ? [{ title: t("Configuration"), fit: "end" as const }] : []),
    ...figures(t("Passed"), t("Tokens a run"), t("Baseline"), t("Best")),
  ];
  return alignColumns(columns, rows, styleFor(host));
}
