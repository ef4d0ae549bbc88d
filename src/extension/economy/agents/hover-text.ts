import { dollars, wholeNumber } from "../../../engine/base/local-format.ts";
import { type RecurringAgent, turnLimitOf, type AgentOverview } from "../../../engine/recurring/agents.ts";
import type { WakeRow } from "../../../engine/ledger/woken.ts";
import { inMarkdown } from "../../editor/outside-text.ts";
import type { Translate } from "../../editor/describe-editor.ts";
import {
  lastWakeText,
  nextWakeText,
  outcomeText,
  programText,
  reasonText,
  sourceText,
  agentState,
  wakeEndText,
  wokenByText,
  type RecurringTextOptions,
} from "./describe-economy-agents.ts";
import { inWords } from "../../../engine/base/language.ts";

const [maxNameLength, maxTextLength] = [60, 200];

type Row = readonly [title: string, value: string];

/** All about an agent, as Markdown. Any part may come from an untrusted file. */
export function agentTooltip(overview: AgentOverview, options: RecurringTextOptions): string {
  const { t, now, wokenBy } = options;
  const by = wokenBy(overview);
  const { name, agent, running, wakes, sessions, isAgreed, faults } = overview;
  const last = running ?? wakes[0];
  const session = sessions.find(({ id }) => id === last?.sessionId);
  const head = [name, ...(agent === null ? [] : [programText(agent.program), agent.model])];
  const rows: Row[] = [];
  if (agent !== null) {
    const zone = agent.timezone === undefined ? "" : ` (${agent.timezone})`;
    rows.push(
      [t("Schedule"), agent.schedule === undefined ? t("none: you wake it") : `${agent.schedule}${zone}`],
      ...(agent.schedule === undefined ? [] : [[t("Next wake"), nextWakeText(overview, options)] as const]),
      [t("Woken by"), wokenByText(by, t)],
      [t("Unattended"), isAgreed ? t("agreed to as its file is now") : t("not agreed to as its file is now")],
      [t("New session"), newSessionText(agent, overview.learned, t)],
      [t("Limit of a wake"), t("{0} tokens", wholeNumber(agent.budget.wake))],
    );
  }
  if (last !== undefined) {
    rows.push([t("Task"), last.taskId ?? t("none")]);
    if (session !== undefined)
      rows.push([t("Session"), t("{0}, {1} wakes, {2} turns", session.id, session.wakes, session.turns)]);
  }
  const [ended] = wakes;
  rows.push([t("Last wake"), lastWakeText(overview, now, t)]);
  if (ended !== undefined) rows.push(...wakeRows(ended, t));
  if (ended?.skills !== undefined && ended.skills !== null) rows.push([t("Skills"), skillsText(ended, t)]);
  const detail = ended?.detail ?? null;
  return [
    titleOf(head),
    ...(faults.length === 0
      ? []
      : [
          faults
            .slice(0, 5)
            .map(({ line, message }) => inMarkdown(t("Line {0}: {1}", line, inWords(message)), maxTextLength))
            .join("  \n"),
        ]),
    tableOf(rows),
    ...(detail === null ? [] : [inMarkdown(inWords(detail), maxTextLength)]),
    ...(agentState(overview, by) === "unagreed"
      ? [t("Wakes by schedule begin once you agreed to the file as it is now.")]
      : []),
    ...(by.why === "off" && agentState(overview, by) === "idle"
      ? [
          t(
            "Wakes by Schedule… in the view's menu turns them on. Your own cron can do it too: purser run --due.",
          ),
        ]
      : []),
  ].join("\n\n");
}

export function wakeTooltip(wake: WakeRow, { t, now }: RecurringTextOptions): string {
  const { detail, sessionId, taskId, turns, usd, model, program } = wake;
  return [
    titleOf([wakeEndText(wake, now, t), programText(program), model]),
    tableOf([
      [t("Task"), taskId ?? t("none")],
      [t("Session"), sessionId ?? t("none")],
      [t("Outcome"), outcomeText(wake.outcome, t)],
      ...wakeRows(wake, t),
      [t("Turns"), wholeNumber(turns)],
      [t("Cost"), usd === null ? t("unknown") : dollars(usd)],
    ]),
    ...(detail === null ? [] : [inMarkdown(inWords(detail), maxTextLength)]),
  ].join("\n\n");
}

function wakeRows(wake: WakeRow, t: Translate): Row[] {
  const figure = (tokens: number | null) => (tokens === null ? t("unknown") : wholeNumber(tokens));
  return [
    [t("Cause"), sourceText(wake.source, t)],
    [t("Session choice"), reasonText(wake, t)],
    [t("Normalized input"), figure(wake.normalizedInput)],
    [t("Raw input"), figure(wake.rawInput)],
    [t("Output"), figure(wake.output)],
  ];
}

/** The skills that reached a wake, and what they took in the session's list. */
function skillsText({ skills, skillBytes }: WakeRow, t: Translate): string {
  const names = skills === "" || skills === null ? t("none") : skills.replaceAll(",", ", ");
  return skillBytes === null ? names : t("{0}; {1} bytes", names, wholeNumber(skillBytes));
}

/** The latest time at which an agent's session is replaced, and the source of that limit. */
function newSessionText(agent: RecurringAgent, learned: AgentOverview["learned"], t: Translate): string {
  const { turns, from } = turnLimitOf(agent, learned);
  switch (from) {
    case "file":
      return t("after {0} turns, by its file", turns);
    case "learned":
      return t("after {0} turns, learned from {1} wakes", turns, learned?.wakes ?? 0);
    case "default":
      return t("after {0} turns, by default", turns);
  }
}

function titleOf([name = "", ...rest]: readonly string[]): string {
  return [
    `**${inMarkdown(name, maxNameLength)}**`,
    ...rest.map((each) => inMarkdown(each, maxNameLength)),
  ].join(" · ");
}

function tableOf(rows: readonly Row[]): string {
  return [
    "| | |",
    "|:--|:--|",
    ...rows.map(([title, value]) => `| ${title}&ensp; | ${inMarkdown(value, maxNameLength)} |`),
  ].join("\n");
}
