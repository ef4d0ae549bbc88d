import { limitPercent } from "../../engine/base/local-format.ts";
import { limitAmount, limitWords, shortAmount, usedAmount } from "../../engine/budgets/local-amount.ts";
import type { BudgetMode } from "../../engine/settings/guard.ts";
import type { LevelName, PeriodName } from "../../engine/budgets/budget.ts";
import type { BudgetLevel } from "../../engine/budgets/budgets-answers.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** A limit's period, as written after a figure. */
export function describePeriod(period: PeriodName, t: Translate): string {
  switch (period) {
    case "total":
      return t("in total");
    case "run":
      return t("this run");
    case "day":
      return t("today");
    case "week":
      return t("this week");
    case "month":
      return t("this month");
  }
}

/** A limit's period, as written after the limit: `600k tokens a day`. */
export function periodOfLimit(period: PeriodName, t: Translate): string {
  switch (period) {
    case "total":
      return t("in total");
    case "run":
      return t("a run");
    case "day":
      return t("a day");
    case "week":
      return t("a week");
    case "month":
      return t("a month");
  }
}

/** A period's name in a list: `Day`. */
export function periodName(period: PeriodName, t: Translate): string {
  switch (period) {
    case "total":
      return t("Total");
    case "run":
      return t("One run");
    case "day":
      return t("Day");
    case "week":
      return t("Week");
    case "month":
      return t("Month");
  }
}

export function levelName(level: LevelName, t: Translate): string {
  switch (level) {
    case "session":
      return t("Session");
    case "agent":
      return t("Agent");
    case "convoy":
      return t("Group");
    case "project":
      return t("Project");
  }
}

export function levelDetail(level: LevelName, t: Translate): string {
  switch (level) {
    case "session":
      return t("Limit for each session, including its subagents.");
    case "agent":
      return t("Limit for each agent: the main agent of each session, and each subagent.");
    case "convoy":
      return t("Limit for all agents that work on this together.");
    case "project":
      return t("Limit for everything in this project.");
  }
}

/** `412k of 500k · 82% · today`, `$3.10 of $5.00 · 62% · today`. What is reserved counts as spent. */
export function levelFigures(level: BudgetLevel, t: Translate): string {
  const { used, reserved, amount, percent: part, period } = level;
  const spent = usedAmount(level, used + reserved, shortAmount);
  const of = t("{0} of {1}", spent, limitAmount(level, amount, shortAmount));
  return `${of} · ${limitPercent(part)} · ${describePeriod(period, t)}`;
}

/** The same figures in words, for a screen reader. */
export function spokenFigures(level: BudgetLevel, t: Translate): string {
  const { used, reserved, amount, percent: part, period } = level;
  const [spent, most] = [usedAmount(level, used + reserved), limitWords(level, amount)];
  return t("{0} of {1} used {2}, {3}", spent, most, describePeriod(period, t), limitPercent(part));
}

/** When the limit's count restarts, in words after "until"; undefined for one that never does. */
export function periodEnd(period: PeriodName, t: Translate): string | undefined {
  switch (period) {
    case "total":
      return undefined;
    case "run":
      return t("the next prompt");
    case "day":
      return t("tomorrow");
    case "week":
      return t("next week");
    case "month":
      return t("next month");
  }
}

export function describeMode(mode: BudgetMode, t: Translate): string {
  switch (mode) {
    case "off":
      return t("off");
    case "warn":
      return t("warns only");
    case "hard":
      return t("stops at the limit");
  }
}

/** What each period counts. */
export function periodDetail(period: PeriodName, t: Translate): string {
  switch (period) {
    case "total":
      return t("All usage ever, including before the budget was created.");
    case "run":
      return t(
        "Starts at zero with each prompt: the prompt and everything it starts, until the next prompt.",
      );
    case "day":
      return t("From midnight, your time.");
    case "week":
      return t("From Monday.");
    case "month":
      return t("From the first of the month.");
  }
}
