import { aboutDollars, percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import type { Advice } from "../../context/advice.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { placesByAgent, type LiveSnapshot } from "../../context/live-snapshot.ts";
import type { SessionSnapshot } from "../../context/snapshot.ts";
import type { Figure } from "../../usage/provenance.ts";
import type { CliHost } from "../ports.ts";
import { styleFor, type Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

const columns: readonly Column[] = [
  { title: "Session" },
  { title: "Agent" },
  { title: "Project" },
  { title: "Model" },
  { title: "Context", isFigure: true },
  { title: "Used", isFigure: true },
  { title: "Until compaction", isFigure: true },
  { title: "Next call", isFigure: true },
  { title: "Cost", isFigure: true },
  { title: "Advice", styled: markAdvice },
];
const longestName = 36;

/** Formats sessions as a table for a person. */
export function statusText(
  snapshot: LiveSnapshot,
  sessions: readonly SessionSnapshot[],
  host: Pick<CliHost, "env" | "stdout">,
): string {
  if (sessions.length === 0) return `${nothingLive(snapshot)}\n`;
  return alignColumns(columns, sessions.map(cells), styleFor(host));
}

/** Returns notes for the reader beside the table, a line each. */
export function statusNotes(
  { problems, settingProblems }: LiveSnapshot,
  sessions: readonly SessionSnapshot[],
  now: number,
): string[] {
  const notes = [
    ...settingProblems.map(({ path, reason }) => `Not used in ${cleanText(path)}: ${cleanText(reason)}`),
    ...problems.map(({ path, reason }) => `Could not read ${cleanText(path)}: ${cleanText(reason)}`),
  ];
  for (const { id, window, model, skippedLines, asOf } of sessions) {
    if (asOf !== null) {
      const age = shortSpan(now - asOf.at);
      notes.push(`${shortId(id)}: as of ${age} ago: ${cleanText(asOf.reason)}`);
    }
    if (window.value === null && model !== null)
      notes.push(`${shortId(id)}: window unknown: ${cleanText(window.source)}`);
    const skipped = Object.entries(skippedLines).map(([kind, count]) => `${count} ${cleanText(kind)}`);
    if (skipped.length > 0) notes.push(`${shortId(id)}: skipped lines: ${skipped.join(", ")}`);
  }
  return notes;
}

/** The first characters of an id, which some agents take from the names of files. */
function shortId(id: string): string {
  return cleanText(id.slice(0, 8));
}

/** `12 s`, `3 min`, `2 h`. @param span milliseconds; a clock that went back counts as none */
function shortSpan(span: number): string {
  const seconds = Math.max(0, Math.round(span / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function cells(session: SessionSnapshot): string[] {
  const { id, title, cwd, model, occupancy, window, headroom, turnsLeft, nextCall, cost, advice } = session;
  const name = title === null ? shortId(id) : `${shortId(id)} ${cleanText(title)}`;
  const context = [occupancy.value, window.value].map((value) => (value === null ? "?" : wholeNumber(value)));
  const turns = turnsLeft.value === null ? "" : ` · ~${shortNumber(turnsLeft.value)} turns`;
  return [
    cutMiddle(name, longestName),
    agentNames.of(session.agent),
    cutMiddle(cleanText(cwd ?? "unknown"), longestName),
    cleanText(model ?? "unknown"),
    occupancy.value === null ? "unknown" : context.join(" / "),
    session.percent === null ? "unknown" : percent(session.percent),
    headroom.value === null ? "unknown" : `~${shortNumber(headroom.value)}${turns}`,
    money(nextCall),
    money(cost),
    describeAdvice(advice),
  ];
}

function describeAdvice(advice: Advice | null): string {
  return advice === null ? "unknown" : advice.toLowerCase().replace("_", " ");
}

/** Uses the status bar's colours for advice. */
function markAdvice(text: string, style: Style): string {
  if (text === describeAdvice("END_TURN")) return style.error(text);
  return text === describeAdvice("WRAP_UP") ? style.warning(text) : text;
}

function money({ value }: Figure): string {
  return value === null ? "unknown" : aboutDollars(value);
}

function nothingLive(snapshot: LiveSnapshot): string {
  const { files, roots } = snapshot;
  if (files > 0) {
    const paths = roots.filter(({ exists }) => exists).map(({ path }) => cleanText(path));
    return `No live session among ${wholeNumber(files)} transcripts in ${paths.join(", ")}. --all shows the recent ones.`;
  }
  const places = placesByAgent(snapshot).map(({ agent, folders }) => {
    const paths = folders.map(({ path, exists }) => `${cleanText(path)}${exists ? "" : " (not there)"}`);
    return `  ${agentNames.of(agent)}: ${paths.join(", ")}`;
  });
  return [
    "No sessions. Looked for those of",
    ...places,
    "Start one of these agents, and its session is here.",
  ].join("\n");
}
