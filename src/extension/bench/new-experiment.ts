import type { Translate } from "../editor/describe-editor.ts";

/** A kind of experiment, or a list of earlier ones. */
export interface Experiment {
  readonly label: string;
  readonly detail?: string;
  /** A codicon's name. */
  readonly icon: string;
  /** The command that plans it, or opens the list, and its argument. */
  readonly command: string;
  readonly target?: unknown;
}

/** The kinds of experiments. Each command shows its price before anything runs. */
export function newExperiments(t: Translate): Experiment[] {
  return [
    {
      label: t("Benchmark"),
      detail: t("How many tokens does my agent need for a fixed set of tasks?"),
      icon: "beaker",
      command: "purser.openBenchmark",
      target: { kind: "home" },
    },
    {
      label: t("Comparison"),
      detail: t("Which model, effort, prompt, skill or server is cheaper, and as good?"),
      icon: "git-compare",
      command: "purser.compare",
    },
    {
      label: t("Measure Rules"),
      detail: t("Do an agent's rules save more than they cost?"),
      icon: "law",
      command: "purser.selectRules",
    },
    {
      label: t("Trial on Real Work"),
      detail: t("Do approved rules save in my own sessions, without extra runs?"),
      icon: "pulse",
      command: "purser.tryRules",
    },
    {
      label: t("Shorter Prompt"),
      detail: t("Is there a shorter version of an agent's prompt that is as good?"),
      icon: "sparkle",
      command: "purser.evolvePrompt",
    },
  ];
}

/** Where earlier experiments are. */
export function earlierExperiments(
  { hasUnfinished }: { readonly hasUnfinished: boolean },
  t: Translate,
): Experiment[] {
  const unfinished = { label: t("Resume…"), icon: "debug-continue", command: "purser.resumeBenchmark" };
  return [
    ...(hasUnfinished ? [unfinished] : []),
    { label: t("Open Benchmarks"), icon: "beaker", command: "purser.openBenchmark" },
    { label: t("Open Comparisons"), icon: "git-compare", command: "purser.openComparisons" },
  ];
}
