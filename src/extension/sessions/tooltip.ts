import { dollars, limitPercent, percent, shortNumber, aboutDollars } from "../../engine/base/local-format.ts";
import type { ContextFill } from "../../engine/ledger/ledger-answers.ts";
import type { Scorecard, StartOffer, MeasureName } from "../../engine/continuity/continuity-answers.ts";
import type { SessionSnapshot, SubagentSnapshot } from "../../engine/sessions/snapshot.ts";
import { agentNames, agentOf } from "../../engine/transcripts/agents.ts";
import type { Advice } from "../../engine/sessions/advice.ts";
import type { Figure } from "../../engine/usage/token-counts.ts";
import { inMarkdown } from "../editor/outside-text.ts";
import { adviceNow } from "./status-colours.ts";
import { commandLink, unbroken, wholeWords } from "./brief.ts";
import { fillBar } from "./context-fill.ts";
import { offerName } from "../handover/describe-handover.ts";
import { canHandOver } from "../handover/links.ts";
import {
  adviceSentence,
  ago,
  asOf,
  clockTime,
  cost,
  provenanceName,
  sessionLabel,
  describeSpan,
  untilCompaction,
  usedOfWindow,
  type Translate,
} from "../editor/describe-editor.ts";
import { inWords } from "../../engine/base/language.ts";

export interface TooltipOptions {
  readonly now: number;
  readonly t: Translate;
  /** What fills the context. Absent if the tooltip shows no bar. */
  readonly fill?: ContextFill | null;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  /** Rows of the budgets that apply to the session: name, amount, owner. */
  readonly budgets?: readonly (readonly [name: string, value: string, owner: string])[];
  /** Saving of a session that began with a handover. USD. */
  readonly saved?: number | null;
  /** Earlier work that a new session could continue. */
  readonly offer?: StartOffer | undefined;
  /** The session's result, once it has ended. */
  readonly scorecard?: Scorecard | null;
  /** The row about guard rules, which look at all sessions. */
  readonly guard?: Row | null;
}

/** A row of the table: what, how much, where the figure comes from. */
type Row = readonly [name: string, value: string, from: string];

/**
 * One session as a Markdown table that stays readable in a narrow hover. Untrusted text in it is cleaned and escaped.
 */
export function sessionTooltip(session: SessionSnapshot, options: TooltipOptions): string {
  const rows = sessionRows(session, options).map(
    ([name, value, from]) => `| ${unbroken(name)}${gap} | ${unbroken(value)}${gap} | ${from} |`,
  );
  const { t, now } = options;
  const { lastActivity } = session;
  return [
    [
      `**${agentNames.of(session.agent)}** · ${inMarkdown(sessionLabel(session), 60)}`,
      ...(session.live || lastActivity === null ? [] : [t("last active {0}", ago(lastActivity, now, t))]),
      ...(session.asOf === null ? [] : [asOf(session.asOf.at, now, t)]),
    ].join(" · "),
    ...(session.title === null ? [] : [inMarkdown(session.title, 60)]),
    ...(session.advice === null || !session.live ? [] : [adviceLine(session, adviceNow(session), t)]),
    ...(options.offer === undefined ? [] : [offerLine(session.id, options.offer, t)]),
    ...(options.fill === undefined ? [] : fillBar(session, options.fill, t)),
    ["| | | |", "|:--|:--|:--|", ...rows].join("\n"),
    links(session, options),
  ].join("\n\n");
}

const handOverCommand = "purser.handOverSession";
const continueCommand = "purser.continueFrom";

/** What to do now. If the advice is to end, one click does it. */
function adviceLine({ id, agent }: SessionSnapshot, advice: Advice, t: Translate): string {
  if (advice === "CONTINUE") return adviceSentence(advice, t);
  const sentence = `**${adviceSentence(advice, t)}**`;
  return advice === "END_TURN" && canHandOver({ agent })
    ? `${sentence} [${t("Hand Over Now")}](${commandLink(handOverCommand, id)})`
    : sentence;
}

/** The work that the last session on the same project and branch left, and how it can be had. */
function offerLine(id: string, offer: StartOffer, t: Translate): string {
  const name = inMarkdown(offerName(offer, t), 60);
  return `[${t("Continue from {0}", name)}](${commandLink(continueCommand, id)})`;
}

/** The editor draws columns without space between them. */
const gap = "&ensp;";

/** Lets a long name, such as a setting's, break after its dots. */
function breakable(text: string): string {
  return text.replaceAll(/\.(?=\w)/gu, ".\u200b");
}

/** Maximum length of a figure's source. Characters. */
const maxSourceLength = 120;

function sessionRows(
  session: SessionSnapshot,
  { now, t, budgets = [], guard = null, scorecard = null, saved = null }: TooltipOptions,
): Row[] {
  const { window, occupancy, threshold, headroom, growth, nextCall, cacheRead, lastCompaction } = session;
  const from = (figure: Figure) => provenanceName(figure.provenance, t);
  const why = (figure: Figure) => breakable(inMarkdown(inWords(figure.source), maxSourceLength));
  const briefly = (figure: Figure) => (figure.value === null ? why(figure) : from(figure));
  const because = (figure: Figure) =>
    figure.value === null
      ? why(figure)
      : t("{0}, {1}", from(figure), inMarkdown(inWords(figure.source), maxSourceLength));
  const rows: Row[] = [
    [
      t("Context"),
      usedOfWindow(session, t),
      window.value === null ? why(window) : t("{0}, window {1}", from(occupancy), from(window)),
    ],
    [
      t("Compaction"),
      untilCompaction(session, t),
      headroom.value === null ? why(headroom) : because(threshold),
    ],
    [
      t("Growth"),
      growth.value === null ? t("unknown") : t("~{0} a turn", shortNumber(growth.value)),
      because(growth),
    ],
    [t("Next call"), nextCallText(session, now, t), because(nextCall)],
    ...turnsPrice(session, t),
    ...(saved === null
      ? []
      : [
          [t("Saved"), t("{0} by the handover", aboutDollars(saved)), t("10 turns, estimated")] satisfies Row,
        ]),
    [
      t("This session"),
      `${cost(session.cost, t)} · ${session.turns === 1 ? t("1 turn") : t("{0} turns", session.turns)}`,
      officialCost(session, t).reduce((all, one) => t("{0}, {1}", all, one), briefly(session.cost)),
    ],
    [
      t("Cache"),
      cacheRead.value === null ? t("unknown") : t("{0} read", percent(cacheRead.value * 100)),
      briefly(cacheRead),
    ],
  ];
  if (session.asOf !== null)
    rows.push([t("Written"), asOf(session.asOf.at, now, t), inMarkdown(inWords(session.asOf.reason), 90)]);
  rows.push(...planLimits(session, { now, t }), ...budgets);
  if (lastCompaction !== null) {
    const when = lastCompaction.at === null ? "" : ` · ${ago(lastCompaction.at, now, t)}`;
    rows.push([t("Compactions"), `${session.compactions}${when}`, t("measured")]);
  }
  if (session.subagents.length > 0)
    rows.push([t("Subagents"), subagents(session.subagents, t), t("measured")]);
  const skipped = Object.values(session.skippedLines).reduce((sum, count) => sum + count, 0);
  if (skipped > 0) rows.push([t("Lines skipped"), String(skipped), kinds(session.skippedLines)]);
  if (scorecard !== null) rows.push(...scorecardRows(scorecard, t));
  if (guard !== null) rows.push(guard);
  const observing =
    session.observing?.map((family) => triedNames[family]?.(t) ?? inMarkdown(family, 20)) ?? [];
  if (observing.length > 0)
    rows.push([t("Trial"), t("only observing: {0}", observing.join(", ")), t("by random draw")]);
  return rows;
}

/** Families of guards that a trial may take. */
const triedNames: Readonly<Record<string, (t: Translate) => string>> = {
  output: (t) => t("Output"),
  waste: (t) => t("Waste"),
  loops: (t) => t("Loops"),
  facts: (t) => t("Facts"),
  learned: (t) => t("Learned"),
  continuity: (t) => t("Continuity"),
  advice: (t) => t("Advice"),
};

/** The next call's price now, and once the cache has expired. */
function nextCallText(
  { nextCall, cacheExpiresAt, goingOn }: SessionSnapshot,
  now: number,
  t: Translate,
): string {
  const { value } = goingOn.coldCall;
  const isWarm = cacheExpiresAt !== null && cacheExpiresAt > now;
  if (!isWarm || value === null || nextCall.value === null || value <= nextCall.value)
    return cost(nextCall, t);
  return t("{0} · {1} after {2}", cost(nextCall, t), dollars(value), clockTime(cacheExpiresAt));
}

/** What ten more turns cost here and in a new session. */
function turnsPrice({ live, goingOn: { here, fresh } }: SessionSnapshot, t: Translate): Row[] {
  if (!live || here.value === null) return [];
  const anew = fresh.value === null ? "" : ` · ${t("{0} in a new session", aboutDollars(fresh.value))}`;
  const source = inMarkdown(inWords(here.source), maxSourceLength);
  return [[t("10 more turns"), `${t("{0} here", aboutDollars(here.value))}${anew}`, source]];
}

/** A smaller difference between the agent's figure and ours is rounding. USD. */
const noDifference = 0.005;

/** The agent's own figure, to check ours against, and its difference from ours for the same responses. */
function officialCost({ official }: SessionSnapshot, t: Translate): string[] {
  if (official === null) return [];
  const { usd, difference, isOld } = official;
  const figure = isOld ? t("official {0} before resuming", cost(usd, t)) : t("official {0}", cost(usd, t));
  if (difference.value === null || Math.abs(difference.value) < noDifference) return [figure];
  const sign = difference.value > 0 ? "+" : "-";
  return [`${figure} (${sign}${dollars(Math.abs(difference.value))})`];
}

function subagents(all: readonly SubagentSnapshot[], t: Translate): string {
  const running = all.filter((subagent) => subagent.running).length;
  const tokens = all.reduce((sum, subagent) => sum + subagent.tokens, 0);
  const count = running > 0 ? t("{0} running", running) : t("{0} done", all.length);
  return `${count} · ${shortNumber(tokens)}`;
}

/** Readable names of the agent's plan limits. */
const planNames: Readonly<Record<string, (t: Translate) => string>> = {
  five_hour: (t) => t("5 hours"),
  seven_day: (t) => t("7 days"),
  spend_limit: (t) => t("spend limit"),
};

function planLimits(session: SessionSnapshot, { now, t }: Pick<TooltipOptions, "now" | "t">): Row[] {
  return session.planLimits.map(({ name, usedPercent, resetsAt, usedUsd, limitUsd, period }) => {
    const plain = planNames[name]?.(t) ?? inMarkdown(name, 20);
    const which = period === null ? plain : `${plain}, ${inMarkdown(period, 20)}`;
    const spent = usedUsd === null ? "" : inMarkdown(dollars(usedUsd), 20);
    const limit = limitUsd === null ? "" : inMarkdown(dollars(limitUsd), 20);
    const money = spent === "" || limit === "" ? spent : t("{0} of {1}", spent, limit);
    const left = resetsAt === null ? 0 : resetsAt - now;
    const resetNote = left > 0 ? ` · ${t("resets in {0}", describeSpan(left, t))}` : "";
    return [
      t("Plan"),
      `${limitPercent(usedPercent)}${money === "" ? "" : ` · ${money}`}${resetNote}`,
      t("official, {0}", which),
    ];
  });
}

function kinds(skipped: Readonly<Record<string, number>>): string {
  return inMarkdown(Object.keys(skipped).join(", "), 40);
}

function links(
  { id, agent, model, window }: SessionSnapshot,
  { t, isPinned, isMuted, budgets = [], guard = null }: TooltipOptions,
): string {
  const link = (label: string, command: string) => `[${wholeWords(label)}](${commandLink(command, id)})`;
  return [
    ...((window.value === null || window.isAssumed === true) && model !== null
      ? [link(t("Set Context Window"), "purser.setModelWindow")]
      : []),
    link(t("Open Usage"), "purser.openLedger"),
    ...(budgets.length > 0 ? [`[${t("Show Budgets")}](command:purser.budgets.focus)`] : []),
    ...(guard === null ? [] : [`[${t("Show Guard")}](command:purser.showGuard)`]),
    link(t("Open Transcript"), "purser.openTranscript"),
    isPinned ? link(t("Unpin"), "purser.unpinSession") : link(t("Pin"), "purser.pinSession"),
    ...(agentOf(agent).resume === null ? [] : [link(t("Copy Resume Command"), "purser.copyResumeCommand")]),
    ...(canHandOver({ agent }) ? [link(t("Hand Over…"), handOverCommand)] : []),
    isMuted ? link(t("Unmute"), "purser.unmuteSession") : link(t("Mute"), "purser.muteSession"),
  ].join(" · ");
}

/** The commands a tooltip may run; the editor refuses any other. */
export const tooltipCommands = [
  "purser.openExperiments",
  "purser.selectRules",
  "purser.openLedger",
  "purser.showGuard",
  "purser.openTranscript",
  "purser.pinSession",
  "purser.unpinSession",
  "purser.copyResumeCommand",
  handOverCommand,
  continueCommand,
  "purser.muteSession",
  "purser.unmuteSession",
  "purser.setModelWindow",
  "purser.showProblems",
  "purser.showSessions",
  "purser.budgets.focus",
];

interface ShownMeasure {
  readonly title: (t: Translate) => string;
  readonly figure: (value: number) => string;
}

/** The measures that a tooltip has room for; the session's page has all. */
const shownMeasures: Partial<Record<MeasureName, ShownMeasure>> = {
  tokens: { title: (t) => t("Tokens a prompt"), figure: shortNumber },
  usd: { title: (t) => t("Price a prompt"), figure: (value) => aboutDollars(value) },
  failures: { title: (t) => t("Failed calls"), figure: (value) => percent(value * 100) },
};

/** Compares an ended session with the median of the user's own; empty for one without a prompt. */
function scorecardRows(scorecard: Scorecard, t: Translate): Row[] {
  const { prompts, completed, measures, edits, savedByGuards, savedByHandover, savedByPacket } = scorecard;
  if (prompts === 0) return [];
  const rows: Row[] = [[t("Prompts"), t("{0} of {1} completed", completed, prompts), t("measured")]];
  for (const { name, value, usual } of measures) {
    const measure = shownMeasures[name];
    if (value === null || measure === undefined) continue;
    const beside = usual === null ? t("usual unknown") : t("usually {0}", measure.figure(usual));
    rows.push([measure.title(t), measure.figure(value), beside]);
  }
  if (edits !== null && edits.edited > 0)
    rows.push([t("Edited files"), t("{0} of {1} checked", edits.verified, edits.edited), t("measured")]);
  if (savedByGuards !== null)
    rows.push([t("Outputs"), t("~{0} tokens left out", shortNumber(savedByGuards)), t("estimated")]);
  const saved = [
    ...(savedByHandover === null ? [] : [t("~{0} by a handover", shortNumber(savedByHandover))]),
    ...(savedByPacket === null ? [] : [t("~{0} by a packet", shortNumber(savedByPacket))]),
  ];
  if (saved.length > 0) rows.push([t("Tokens saved"), saved.join(", "), t("estimated")]);
  return rows;
}
