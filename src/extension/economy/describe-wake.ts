import { dollars, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { cleanText, shorten } from "../../engine/base/text.ts";
import type { WakeJob } from "../../engine/jobs/bench-answers.ts";
import type { BenchBadge } from "../sessions/status-text.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { inWords } from "../../engine/base/language.ts";

const maxNameLength = 24;

/** Returns the wake shown in the status bar: the one that began last of those that run. */
export function wakeBadge(wakes: readonly WakeJob[], t: Translate): BenchBadge | undefined {
  const running = wakes.find(({ state }) => state.kind === "running" || state.kind === "cancelling");
  if (running === undefined) return undefined;
  const name = shorten(cleanText(running.ask.agent), maxNameLength);
  return {
    icon: "sync~spin",
    text: name,
    spoken: t("{0} is awake: {1}", name, wakeProgressText(running, t)),
    command: "purser.agents.focus",
    target: "",
  };
}

/** Describes the progress of a wake: `T1 · 5 turns · 12k new tokens`. */
export function wakeProgressText({ state, wake }: Pick<WakeJob, "state" | "wake">, t: Translate): string {
  if (state.kind === "queued") return t("waits for its other wake");
  if (state.kind === "cancelling") return t("ends its program…");
  const plan = wake?.plan ?? null;
  if (plan === null) return t("looks for what to do…");
  const { turns, tokens } = wake?.used ?? { turns: 0, tokens: 0 };
  const task = plan.task === null ? t("no task") : shorten(cleanText(plan.task.id), maxNameLength);
  if (turns === 0) return t("{0} · begins", task);
  const counted = turns === 1 ? t("1 turn") : t("{0} turns", turns);
  return t("{0} · {1} · {2} new tokens", task, counted, shortNumber(tokens));
}

/** Describes the result of a wake that is over: `T1 is done. 5 turns, 3,210 normalized input tokens, $0.03.` */
export function wakeResultText({ wake }: Pick<WakeJob, "wake">, t: Translate): string {
  if (wake?.skipped) return cleanText(inWords(wake.skipped.detail));
  const row = wake?.row ?? null;
  if (row === null) return t("nothing was started");
  const { taskId, stateAfter, turns, normalizedInput, usd } = row;
  const figures = [
    turns === 1 ? t("1 turn") : t("{0} turns", turns),
    ...(normalizedInput === null ? [] : [t("{0} normalized input tokens", wholeNumber(normalizedInput))]),
    ...(usd === null ? [] : [dollars(usd)]),
  ].join(", ");
  if (taskId === null || stateAfter === null) return t("completed. {0}.", figures);
  return t(
    "{0} is {1}. {2}.",
    shorten(cleanText(taskId), maxNameLength),
    taskStateText(stateAfter, t),
    figures,
  );
}

function taskStateText(
  state: NonNullable<NonNullable<NonNullable<WakeJob["wake"]>["row"]>["stateAfter"]>,
  t: Translate,
): string {
  switch (state) {
    case "backlog":
      return t("in the backlog");
    case "todo":
      return t("to do");
    case "in_progress":
      return t("in progress");
    case "in_review":
      return t("in review");
    case "blocked":
      return t("blocked");
    case "done":
      return t("done");
    case "cancelled":
      return t("cancelled");
  }
}
