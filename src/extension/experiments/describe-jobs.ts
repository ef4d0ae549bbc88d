import { inWords, plainSentence } from "../../engine/base/language.ts";
import { aboutDollars, shortNumber, signedPercent, wholeNumber } from "../../engine/base/local-format.ts";
import type { DriverName } from "../../engine/bench/run-facts.ts";
import type { BenchPlan, PlannedInstall } from "../../engine/bench/plan.ts";
import type { BenchChoices, SideFigures, JobSummary, SuiteOffer } from "../../engine/jobs/bench-answers.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { agentsOf } from "../../engine/jobs/compare-answers.ts";
import type { BenchBadge } from "../sessions/status-text.ts";

export function driverLabel(driver: DriverName, t: Translate): string {
  switch (driver) {
    case "claude":
      return "Claude Code";
    case "codex":
      return "Codex";
    case "replay":
      return t("Replay of recordings (demo)");
  }
}

export function suiteLabel({ origin }: SuiteOffer["suite"], t: Translate): string {
  return origin === "built-in" ? t("Purser's own") : t("This workspace's");
}

/** Why no agent is ready; null when one is. */
export function missingLabel(drivers: BenchChoices["drivers"], t: Translate): string | null {
  const agents = drivers.filter(({ name }) => name !== "replay");
  if (agents.some(({ isReady }) => isReady)) return null;
  const problems = agents.flatMap(({ problem }) => (problem === null ? [] : inWords(problem)));
  return t("No agent is ready. {0}", problems.join(". "));
}

/** `Run 24 runs · ~1.1M tokens · ~$3.40`: label of a button or item that spends. */
export function startLabel({ driver, runs, made, tokens, usd }: BenchPlan, t: Translate): string {
  const left = Math.max(0, runs - made);
  if (driver === "replay") return left === 1 ? t("Replay 1 run · free") : t("Replay {0} runs · free", left);
  const price = usd === null ? t("unknown price") : aboutDollars(usd);
  const spent = `~${shortNumber(tokens)}`;
  return left === 1
    ? t("Run 1 run · {0} tokens · {1}", spent, price)
    : t("Run {0} runs · {1} tokens · {2}", left, spent, price);
}

/** The basis of a plan, and its warnings, in one line. */
export function planDetail(
  { driver, recordedBy, expected, install, warnings }: BenchPlan,
  t: Translate,
): string {
  const basis =
    driver === "replay"
      ? replayLabel(recordedBy, t)
      : t("Tokens and price are estimates: {0}. Price by the list.", inWords(expected.because));
  return [basis, ...(install === null ? [] : [installLabel(install, t)]), ...warnings.map(inWords)].join(" ");
}

/** Says what is downloaded before the first run. */
function installLabel({ packages }: PlannedInstall, t: Translate): string {
  if (packages === null)
    return t("First, npm downloads the packages that the tasks' project needs from its registry, once.");
  return packages === 1
    ? t("First, npm downloads the 1 package that the tasks' project needs from its registry, once.")
    : t(
        "First, npm downloads up to {0} packages that the tasks' project needs from its registry, once.",
        packages,
      );
}

/** Says that the result is a replay, and what it is worth. */
export function replayLabel(recordedBy: readonly string[], t: Translate): string {
  const models = recordedBy.filter((by) => by !== "script");
  return models.length === 0
    ? t("Demo: replays a recording. It says nothing about a model.")
    : t("Demo: replays recordings of {0}. It says nothing about a model as it is now.", models.join(", "));
}

function agentsLabel(agents: readonly string[], t: Translate): string {
  return agents.length > 3 ? t("{0} agents", agents.length) : agents.join(", ");
}

/** `−22%`, `+3%`, `0%`. */
export function difference(share: number): string {
  return signedPercent(share - 1);
}

/** `12 of 12 runs passed, 26,774 tokens a run, −22% vs. baseline`. The first benchmark is the baseline, and compared with nothing. */
export function resultText({ run1, best, passed, runs, tokens }: SideFigures, t: Translate): string {
  const isFirst = run1?.share === 1 && (best === null || best.share === 1);
  return [
    t("{0} of {1} runs passed", passed, runs),
    ...(tokens === null ? [] : [t("{0} tokens a run", wholeNumber(tokens))]),
    ...(run1 === null
      ? []
      : [isFirst ? t("saved as baseline") : t("{0} vs. baseline", difference(run1.share))]),
  ].join(", ");
}

/** A job's name: what is measured, and of whom. Outside text. */
export function jobTitle({ ask }: Pick<JobSummary, "ask">, t: Translate): string {
  const agents = agentsLabel(agentsOf(ask), t);
  switch (ask.kind) {
    case "bench":
      return t("Benchmark of {0}", agents);
    case "compare":
      return t("Comparison for {0}", agents);
    case "select":
      return t("Rules of {0}", agents);
  }
}

/** The result of a finished job in a few words, short enough for a notification. Outside text. */
export function jobResult({ figures, comparison, selection, ask }: JobSummary, t: Translate): string {
  if (ask.kind === "select") {
    const settled = (selection?.rules ?? []).filter(({ status }) => status !== null);
    const found = settled.filter(({ status }) => status === "measured" || status === "active").length;
    return t("{0} of {1} measured rules save tokens", found, settled.length);
  }
  if (ask.kind === "compare") return inWords(comparison?.result?.sentence ?? plainSentence("")) || t("done");
  const [only] = figures.length === 1 ? figures : [];
  return only === undefined ? t("done") : resultText(only, t);
}

/** The command that leads to a job, and its argument. */
export function jobTarget({
  id,
  ask,
}: Pick<JobSummary, "id" | "ask">): readonly [command: string, target: string] {
  return ask.kind === "select" ? ["purser.selectRules", ask.agent] : ["purser.openExperiments", id];
}

/** What the status bar shows about jobs: the running one. */
export function benchBadge(jobs: readonly JobSummary[], t: Translate): BenchBadge | undefined {
  const running = jobs.find(({ state }) => state.kind === "running" || state.kind === "cancelling");
  if (running === undefined) return undefined;
  const { done, of } = running;
  const title = jobTitle(running, t);
  const [command, id] = jobTarget(running);
  const spoken = of === 0 ? t("{0} begins", title) : t("{0}: {1} of {2} runs", title, done, of);
  return { icon: "beaker~spin", text: of === 0 ? "…" : `${done}/${of}`, spoken, command, target: id };
}
