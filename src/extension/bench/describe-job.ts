import { inWords, plainSentence } from "../../engine/base/language.ts";
import { agentsOf } from "../../engine/jobs/compare-answers.ts";
import type { JobSummary } from "../../engine/jobs/bench-answers.ts";
import type { BenchBadge } from "../sessions/badges.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { agentsLabel, resultText } from "./describe-bench.ts";

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
  switch (ask.kind) {
    case "bench":
      return ["purser.openBenchmark", id];
    case "compare":
      return ["purser.openComparisons", id];
    case "select":
      return ["purser.selectRules", ask.agent];
  }
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
