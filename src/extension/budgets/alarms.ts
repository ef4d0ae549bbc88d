import { limitPercent } from "../../engine/base/local-format.ts";
import { limitWords, shortAmount, usedAmount } from "../../engine/budgets/local-amount.ts";
import { cleanText, shorten } from "../../engine/base/text.ts";
import type { ProjectBudgets } from "../../engine/budgets/budgets-answers.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { heldLevels, isPresent, worst, type HeldLevel } from "./budgets-state.ts";
import { periodEnd, describePeriod } from "./describe-budgets.ts";
import type { Translate } from "../editor/describe-editor.ts";

const maxNameLength = 40;

/** Identifies an alarm, so that it is shown only once: one per limit, owner, period and state. */
export function alarmKey({ project, convoy, level }: HeldLevel, today: string): string {
  const { level: name, who, sessionId, period, since, amount, state } = level;
  // A total limit has only one period; a limit per run alarms once a day, not for each run.
  const when = since ?? (period === "run" ? today : period);
  return JSON.stringify([project.project, convoy.convoyId, name, who, sessionId, when, amount, state]);
}

/**
 * The alarms to show now: the worst of each convoy, with every key that then counts as shown. A passed limit
 * makes a warning that it is near unnecessary.
 *
 * @param options.today local calendar day: runs have no period
 * @param options.isLive a session that has ended needs no attention
 */
export function newAlarms(
  projects: readonly ProjectBudgets[],
  wasShown: (key: string) => boolean,
  { today, isLive }: { readonly today: string; readonly isLive: (sessionId: string) => boolean },
): { readonly held: HeldLevel; readonly keys: readonly string[] }[] {
  return projects
    .filter(({ mode }) => mode !== "off")
    .flatMap((project) =>
      project.convoys.flatMap((convoy) => {
        const near = heldLevels([{ ...project, convoys: [convoy] }]).filter(
          ({ level }) => level.state !== "ok" && isPresent(level, isLive),
        );
        const fresh = near.filter((held) => !wasShown(alarmKey(held, today)));
        const held = worst(fresh);
        if (held === undefined) return [];
        const keys = fresh.flatMap((each) => keysOf(each, today));
        return [{ held, keys }];
      }),
    );
}

function keysOf(held: HeldLevel, today: string): string[] {
  const key = alarmKey(held, today);
  if (held.level.state !== "exceeded") return [key];
  return [key, alarmKey({ ...held, level: { ...held.level, state: "warning" } }, today)];
}

/** Whether agents use tokens of the project that no hook counts before a call. */
export function isWithoutHooks({ project }: HeldLevel): boolean {
  return project.notHeld.length > 0;
}

/** What happened and its consequence, in a sentence or two. */
export function alarmSentence(held: HeldLevel, t: Translate): string {
  const { project, convoy, level } = held;
  const { used, reserved, amount, percent, state, period } = level;
  const subjectName = subject({ convoy, level }, t);
  const figures = [
    usedAmount(level, used + reserved, shortAmount),
    limitWords(level, amount, shortAmount),
  ] as const;
  if (state === "exceeded") {
    const passed = t(
      "{0} used {1} of {2} {3}: the limit is passed.",
      subjectName,
      ...figures,
      describePeriod(period, t),
    );
    if (isWithoutHooks(held)) {
      const names = project.notHeld.map((program) => agentNames.of(program)).join(", ");
      return `${passed} ${t("Without purser's hooks, nothing warns or stops {0}.", names)}`;
    }
    if (project.mode !== "hard") return `${passed} ${t("Calls are not blocked (mode: warn).")}`;
    const end = periodEnd(period, t);
    return `${passed} ${
      end === undefined
        ? t("Its calls are blocked until you raise the limit.")
        : t("Its calls are blocked until you raise the limit or {0}.", end)
    }`;
  }
  const near = t(
    "{0} used {1} of {2} {3} ({4}).",
    subjectName,
    ...figures,
    describePeriod(period, t),
    limitPercent(percent),
  );
  return project.mode === "hard" ? `${near} ${t("At the limit its calls are blocked.")}` : near;
}

function subject({ convoy, level }: Pick<HeldLevel, "convoy" | "level">, t: Translate): string {
  const named = (text: string) => shorten(cleanText(text), maxNameLength);
  const id = named(convoy.convoyId);
  switch (level.level) {
    case "project":
      return t("The project");
    case "convoy":
      return t("Group {0}", id);
    case "agent":
      return t("Agent {0} of group {1}", named(level.agentType ?? level.who ?? ""), id);
    case "session":
      return t("A session of group {0}", id);
  }
}
