import { inWords } from "../../engine/base/language.ts";
import path from "node:path";
import { agentNames } from "../../engine/transcripts/agents.ts";
import { cleanText } from "../../engine/base/text.ts";
import { limitPercent, wholeNumber } from "../../engine/base/local-format.ts";
import { limitAmount, localAmount, usedAmount } from "../../engine/budgets/local-amount.ts";
import type { BudgetLevel } from "../../engine/budgets/budgets-answers.ts";
import type { BudgetNode } from "./budgets-tree.ts";
import { levelFigures, levelName, describeMode, spokenFigures } from "./describe-budgets.ts";
import { heldLevels, worst } from "./budgets-state.ts";
import { rowPart, type NodeText } from "../editor/node-text.ts";
import { inMarkdown } from "../editor/outside-text.ts";
import type { Translate } from "../editor/describe-editor.ts";

export interface BudgetTextOptions {
  readonly t: Translate;
  /** A session's title; undefined when unknown. */
  readonly titleOf: (sessionId: string) => string | undefined;
  /** Whether alarms of this convoy's limits are muted. */
  readonly isMuted: (project: string, convoyId: string) => boolean;
}

const maxLabelLength = 60;
const shownId = 8;
const colors = { ok: undefined, warning: "list.warningForeground", exceeded: "list.errorForeground" };
const levelIcons = {
  project: "root-folder",
  convoy: "organization",
  agent: "hubot",
  session: "comment-discussion",
};

export function budgetNodeText(node: BudgetNode, options: BudgetTextOptions): NodeText {
  switch (node.kind) {
    case "budget-project":
      return projectText(node, options);
    case "budget-fault":
      return faultText(node, options);
    case "budget-stray":
      return strayText(node, options);
    case "budget-not-held":
      return notHeldText(node, options);
    case "budget-convoy":
      return convoyText(node, options);
    case "budget-level":
      return levelText(node, options);
  }
}

function projectText(
  { project }: BudgetNode & { kind: "budget-project" },
  { t }: BudgetTextOptions,
): NodeText {
  return {
    label: rowPart(path.basename(project.project)),
    description: describeMode(project.mode, t),
    icon: "root-folder",
    contextValue: "budgetProject",
    tooltip: cleanText(project.project),
  };
}

function faultText({ fault }: BudgetNode & { kind: "budget-fault" }, { t }: BudgetTextOptions): NodeText {
  const label = fault.file === null ? t("Budgets") : rowPart(path.basename(fault.file));
  return {
    label,
    description: t("cannot be used"),
    icon: "error",
    color: "list.errorForeground",
    contextValue: fault.file === null ? "budgetFault" : "budgetFault withFile",
    tooltip: cleanText(inWords(fault.detail)),
    spoken: t("{0} cannot be used: {1}", label, cleanText(inWords(fault.detail))),
  };
}

function strayText({ stray }: BudgetNode & { kind: "budget-stray" }, { t }: BudgetTextOptions): NodeText {
  const label = rowPart(path.basename(stray.file));
  const detail = cleanText(inWords(stray.detail));
  return {
    label,
    description: t("not a budget"),
    icon: "warning",
    contextValue: "budgetStray",
    color: colors.warning,
    tooltip: detail,
    spoken: t("{0} is not a budget: {1}", label, detail),
  };
}

function notHeldText(
  { project }: BudgetNode & { kind: "budget-not-held" },
  { t }: BudgetTextOptions,
): NodeText {
  const names = project.notHeld.map((program) => rowPart(agentNames.of(program))).join(", ");
  const detail = t("{0}'s usage is counted. Purser cannot warn or stop it without its hooks.", names);
  return {
    label: names,
    description: t("no hooks: cannot be stopped"),
    icon: "circle-slash",
    contextValue: "budgetNotHeld",
    tooltip: detail,
    spoken: t("{0}, no hooks: {1}", names, detail),
  };
}

/** Describes the convoy's worst limit. */
function convoyText(
  { project, convoy }: BudgetNode & { kind: "budget-convoy" },
  options: BudgetTextOptions,
): NodeText {
  const { t, isMuted } = options;
  const most = worst(heldLevels([{ ...project, convoys: [convoy] }]));
  const muted = isMuted(project.project, convoy.convoyId);
  const label = rowPart(convoy.convoyId);
  const figures =
    most === undefined
      ? t("nothing used yet")
      : `${limitPercent(most.level.percent)} · ${levelLabel(most.level, options)}`;
  const state = most?.level.state ?? "ok";
  return {
    label,
    description: [figures, ...(muted ? [t("muted")] : [])].join(" · "),
    icon: "shield",
    color: colors[state],
    contextValue: `budgetConvoy ${muted ? "muted" : "unmuted"}`,
    spoken: [t("Budget {0}", label), figures, describeState(state, t), ...(muted ? [t("muted")] : [])].join(
      ", ",
    ),
  };
}

function levelText({ level }: BudgetNode & { kind: "budget-level" }, options: BudgetTextOptions): NodeText {
  const { t } = options;
  const { name, session } = namesOf(level, options);
  return {
    label: name,
    // A narrow view cuts off the session's title, not the figures.
    description: [levelFigures(level, t), ...(session === null ? [] : [session])].join(" · "),
    icon:
      level.state === "exceeded" ? "error" : level.state === "warning" ? "warning" : levelIcons[level.level],
    color: colors[level.state],
    contextValue: "budgetLevel",
    spoken: [levelLabel(level, options), spokenFigures(level, t), describeState(level.state, t)].join(", "),
  };
}

type Named = Pick<BudgetLevel, "level" | "who" | "sessionId" | "agentType">;
type Naming = Pick<BudgetTextOptions, "t" | "titleOf">;

/** `Agent Explore · Find the hour`, `Session · Find the hour`, `Each agent` until one used anything. */
export function levelLabel(level: Named, options: Naming): string {
  const { name, session } = namesOf(level, options);
  return session === null ? name : `${name} · ${session}`;
}

/** A limit's name, and the session it applies to, if any. */
function namesOf(
  { level, who, sessionId, agentType }: Named,
  { t, titleOf }: Naming,
): { readonly name: string; readonly session: string | null } {
  const name = levelName(level, t);
  if (level === "project" || level === "convoy") return { name, session: null };
  if (who === null) return { name: level === "agent" ? t("Each agent") : t("Each session"), session: null };
  const session = sessionId === null ? null : rowPart(titleOf(sessionId) ?? sessionId.slice(-shownId));
  if (level === "session") return { name, session };
  return { name: `${name} ${rowPart(agentType ?? (who === "main" ? who : who.slice(-shownId)))}`, session };
}

/** A limit's exact figures as Markdown. */
export function levelTooltip(
  { convoy, level }: BudgetNode & { kind: "budget-level" },
  options: BudgetTextOptions,
): string {
  const { t } = options;
  const { used, reserved, amount, percent, unit, unpriced } = level;
  const left = amount - used - reserved;
  const rows: (readonly [string, string])[] = [
    [t("Limit"), limitAmount(level, amount)],
    [t("Used"), usedAmount(level, used)],
    ...(reserved > 0 ? [[t("Set aside"), localAmount(level, reserved)] as const] : []),
    ...(unpriced > 0 ? [[t("Tokens without a price"), wholeNumber(unpriced)] as const] : []),
    left < 0 ? [t("Over"), localAmount(level, -left)] : [t("Left"), localAmount(level, left)],
    [t("Share"), t("{0}, warns at {1}", limitPercent(percent), limitPercent(convoy.warnPercent))],
    ...(level.since === null ? [] : [[t("Counts since"), level.since] as const]),
  ];
  return [
    `**${inMarkdown(levelLabel(level, options), maxLabelLength)}** · ${inMarkdown(convoy.convoyId, maxLabelLength)}`,
    [
      "| | |",
      "|:--|--:|",
      ...rows.map(([name, value]) => `| ${name}&ensp; | ${inMarkdown(value, maxLabelLength)} |`),
    ].join("\n"),
    unit === "tokens"
      ? t("New tokens: input, output and cache writes.")
      : t("At list prices or your own, cache reads included."),
  ].join("\n\n");
}

function describeState(state: "ok" | "warning" | "exceeded", t: Translate): string {
  return state === "exceeded"
    ? t("limit passed")
    : state === "warning"
      ? t("near its limit")
      : t("within its limit");
}
