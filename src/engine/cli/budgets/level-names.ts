import { t } from "../../base/language.ts";
import type { LevelName, PeriodName } from "../../budgets/budget.ts";
import type { LevelVerdict } from "../../budgets/check.ts";

/** In the terminal's language. Agents get the English words. */

export const levelWords: Readonly<Record<LevelName, string>> = {
  session: t("session"),
  agent: t("agent"),
  convoy: t("convoy"),
  project: t("project"),
};

export const levelTitles: Readonly<Record<LevelName, string>> = {
  session: t("Session"),
  agent: t("Agent"),
  convoy: t("Convoy"),
  project: t("Project"),
};

export const periodWords: Readonly<Record<PeriodName, string>> = {
  total: t("in total"),
  run: t("in this run"),
  day: t("today"),
  week: t("this week"),
  month: t("this month"),
};

export const verdictWords: Readonly<Record<LevelVerdict, string>> = {
  ok: t("ok"),
  warning: t("warning"),
  exceeded: t("exceeded"),
};
