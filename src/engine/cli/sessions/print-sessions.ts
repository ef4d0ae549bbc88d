import { t } from "../../base/language.ts";
import { dollars, percent, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { cellsOf, cutCellsEnd } from "../text-cells.ts";
import { groupBy } from "../../base/numbers.ts";
import { asSentence, cleanText } from "../../base/text.ts";
import { type Advice, fewTurns, isDue } from "../../sessions/advice.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { placesByAgent, type LiveSnapshot } from "../../sessions/session-requests.ts";
import type { SessionSnapshot } from "../../sessions/snapshot.ts";
import { marked, type Figure, type Provenance } from "../../usage/token-counts.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor, type Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { asLine } from "../terminal-text.ts";
import { sessionNames, shortIds } from "./session-names.ts";

const maxTitleLength = 72;

/** The id is for other commands. A person tells sessions apart by their names. */
const columns = {
  name: { title: t("Session"), maxWidth: maxTitleLength, fit: "end", minWidth: 24 },
  id: { title: t("ID"), dropped: 1 },
  agent: { title: t("Agent"), dropped: 7 },
  project: { title: t("Project"), maxWidth: 36, fit: "middle", dropped: 2 },
  model: { title: t("Model"), dropped: 3 },
  context: { title: t("Context"), isFigure: true, dropped: 6 },
  used: { title: t("Used"), isFigure: true },
  room: { title: t("Until compaction"), isFigure: true },
  next: { title: t("Next call"), isFigure: true, dropped: 5 },
  cost: { title: t("Cost"), isFigure: true, dropped: 4 },
  advice: { title: t("Advice"), styled: markAdvice },
} as const satisfies Readonly<Record<string, Column>>;
type Cells = Readonly<Record<keyof typeof columns, string>>;

/** The agents' column is of no use where all are the same. */
function shownColumns(sessions: readonly SessionSnapshot[]): (keyof Cells)[] {
  const isMixed = new Set(sessions.map(({ agent }) => agent)).size > 1;
  const all: readonly (keyof Cells)[] = [
    "name",
    "id",
    "agent",
    "project",
    "model",
    "context",
    "used",
    "room",
    "next",
    "cost",
    "advice",
  ];
  return all.filter((name) => isMixed || name !== "agent");
}

/** In a narrower terminal, a session takes two lines. Cells. */
const minTableWidth = 80;

export function statusText(
  snapshot: LiveSnapshot,
  sessions: readonly SessionSnapshot[],
  host: Pick<CliHost, "env" | "now" | "stdout">,
): string {
  if (sessions.length === 0) return `${nothingLive(snapshot)}\n`;
  const style = styleFor(host);
  const names = sessionNames(sessions, host.now());
  const ids = shortIds(sessions.map(({ id }) => id));
  const nameOf = ({ id }: SessionSnapshot) => names.get(id) ?? id;
  const narrow = () => sessions.map((session) => narrowLines(session, nameOf(session), style)).join("");
  const shown = shownColumns(sessions);
  const rows = sessions.map((session) => {
    const cells = { ...cellsIn(session), name: nameOf(session), id: ids.get(session.id) ?? "" };
    return shown.map((name) => cells[name]);
  });
  const table =
    style.width < minTableWidth
      ? narrow()
      : alignColumns(
          shown.map((name) => columns[name]),
          rows,
          style,
          narrow,
        );
  return `${table}${legend(sessions, style)}`;
}

function legend(sessions: readonly SessionSnapshot[], style: Style): string {
  const figures = sessions.flatMap(({ occupancy, window, headroom, nextCall, cost }) => [
    ...[occupancy, window, nextCall, cost].map(({ provenance }) => provenance),
    ...(headroom.value === null ? [] : ["estimated"]),
  ]);
  const marks = [
    ...(figures.includes("estimated") ? [t("~ estimated")] : []),
    ...(figures.includes("official") ? [t("* as the agent or a setting says")] : []),
  ];
  const line = marks.join(" · ");
  const lines = cellsOf(line) > style.width ? marks : marks.length === 0 ? [] : [line];
  return lines.map((each) => `${style.dim(each)}\n`).join("");
}

/** An estimate where the window is. */
function usedShare({ percent: share, occupancy, window }: SessionSnapshot): string | null {
  if (share === null) return null;
  const both: readonly Provenance[] = [occupancy.provenance, window.provenance];
  return marked(percent(share), both.includes("estimated") ? "estimated" : "measured");
}

/** The title, and below it the rest by importance: what does not fit is left out. */
function narrowLines(session: SessionSnapshot, name: string, style: Style): string {
  const { occupancy, window, headroom, cost, model, agent } = session;
  const share = usedShare(session);
  const [used, of] = [occupancy.value, window.value];
  const context = used === null ? t("context unknown") : t("{0} tokens, window unknown", shortNumber(used));
  const advice = session.advice === null ? "" : describeAdvice(session.advice);
  const others = [
    share === null || of === null ? context : t("{0} of {1}", share, shortNumber(of)),
    ...(turnsLeft(session) === "" ? [] : [t("{0} left", turnsLeft(session))]),
    ...untilCompaction(headroom.value),
    agentNames.of(agent),
    ...(cost.value === null ? [] : [money(cost)]),
    ...(model === null ? [] : [cleanText(model)]),
  ];
  let rest = "";
  for (const part of others) {
    const longer = rest === "" && advice === "" ? part : `${rest} · ${part}`;
    if (indent.length + advice.length + cellsOf(longer) <= style.width) rest = longer;
  }
  const title = style.isolated(cutCellsEnd(name, style.width));
  return `${style.bold(title)}\n${indent}${markAdvice(advice, style)}${style.dim(rest)}\n`;
}

function untilCompaction(headroom: number | null): string[] {
  if (headroom === null) return [];
  return [
    isDue(headroom)
      ? t("compaction at the next call")
      : t("{0} until compaction", `~${shortNumber(headroom)}`),
  ];
}

/** `~9 turns`, or `<4 turns`; empty if unknown. */
function turnsLeft({ turnsLeft: { value } }: SessionSnapshot): string {
  if (value === null) return "";
  return value < fewTurns ? t("<{0} turns", fewTurns) : t("~{0} turns", shortNumber(value));
}

const indent = "  ";

export function statusNotes(
  { problems, settingProblems, ledgerProblem }: LiveSnapshot,
  sessions: readonly SessionSnapshot[],
  now: number,
): string[] {
  const notes = [
    ...(ledgerProblem === undefined ? [] : [asSentence(asLine(ledgerProblem))]),
    ...settingProblems.map(({ path, reason }) => t("Not used in {0}: {1}", cleanText(path), asLine(reason))),
    ...problems.map(({ path, reason }) => t("Could not read {0}: {1}", cleanText(path), asLine(reason))),
  ];
  const names = sessionNames(sessions, now);
  const nameOf = (id: string) => cutCellsEnd(names.get(id) ?? id, maxTitleLength);
  notes.push(...unknownWindows(sessions, nameOf));
  for (const { id, skippedLines, asOf } of sessions) {
    if (asOf !== null) {
      const age = shortSpan(now - asOf.at);
      notes.push(t("{0}: as of {1} ago: {2}", nameOf(id), age, asLine(asOf.reason)));
    }
    const skipped = Object.entries(skippedLines).map(([kind, count]) => `${count} ${cleanText(kind)}`);
    if (skipped.length > 0) notes.push(t("{0}: skipped lines: {1}", nameOf(id), skipped.join(", ")));
  }
  return notes;
}

/** One line per model with an unknown window, for any number of sessions. */
function unknownWindows(sessions: readonly SessionSnapshot[], nameOf: (id: string) => string): string[] {
  const unknown = sessions.filter(({ window, model }) => window.value === null && model !== null);
  const byModel = groupBy(unknown, ({ model, window }) => `${model ?? ""}\n${window.source.text}`);
  return [...byModel.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const which = others.length === 0 ? nameOf(first.id) : t("{0} sessions", wholeNumber(others.length + 1));
    return [
      t("{0}: window unknown ({1}): {2}", cleanText(first.model ?? ""), which, asLine(first.window.source)),
    ];
  });
}

/** `12 s`, `3 min`, `2 h`. @param span milliseconds; a clock that went back counts as none */
function shortSpan(span: number): string {
  const seconds = Math.max(0, Math.round(span / 1000));
  if (seconds < 120) return t("{0} s", seconds);
  return seconds < 7200 ? t("{0} min", Math.round(seconds / 60)) : t("{0} h", Math.round(seconds / 3600));
}

function cellsIn(session: SessionSnapshot): Omit<Cells, "name" | "id"> {
  const { cwd, model, occupancy, window, headroom, nextCall, cost, advice } = session;
  const context = [occupancy, window].map(({ value, provenance }) =>
    value === null ? "?" : marked(wholeNumber(value), provenance),
  );
  const turns = turnsLeft(session) === "" ? "" : ` · ${turnsLeft(session)}`;
  return {
    agent: agentNames.of(session.agent),
    project: cleanText(cwd ?? t("unknown")),
    model: cleanText(model ?? t("unknown")),
    context: occupancy.value === null ? t("unknown") : context.join(" / "),
    used: usedShare(session) ?? t("unknown"),
    room:
      headroom.value === null
        ? t("unknown")
        : isDue(headroom.value)
          ? t("at the next call")
          : `~${shortNumber(headroom.value)}${turns}`,
    next: money(nextCall),
    cost: money(cost),
    advice: describeAdvice(advice),
  };
}

const adviceWords: Readonly<Record<Advice, string>> = {
  CONTINUE: t("continue"),
  WRAP_UP: t("wrap up"),
  END_TURN: t("end turn"),
};

function describeAdvice(advice: Advice | null): string {
  return advice === null ? t("unknown") : adviceWords[advice];
}

function markAdvice(text: string, style: Style): string {
  if (text === describeAdvice("END_TURN")) return style.error(text);
  return text === describeAdvice("WRAP_UP") ? style.warning(text) : text;
}

function money({ value, provenance }: Figure): string {
  return value === null ? t("unknown") : marked(dollars(value), provenance);
}

function nothingLive(snapshot: LiveSnapshot): string {
  const { files, roots } = snapshot;
  if (files > 0) {
    const paths = roots.filter(({ exists }) => exists).map(({ path }) => cleanText(path));
    return t(
      "No live session among {0} transcripts in {1}. --all shows recent ones.",
      wholeNumber(files),
      paths.join(", "),
    );
  }
  const places = placesByAgent(snapshot).map(({ agent, folders }) => {
    const paths = folders.map(({ path, exists }) =>
      exists ? cleanText(path) : t("{0} (not found)", cleanText(path)),
    );
    return `  ${agentNames.of(agent)}: ${paths.join(", ")}`;
  });
  return [
    t("No sessions found. Looked in:"),
    ...places,
    t("Start one of these agents, and its session will appear here."),
  ].join("\n");
}
