import { dataTable } from "../components/table/table.ts";
import { html, type TemplateResult, nothing } from "lit";
import type { Overview, Reread, SessionSummary, Anomaly } from "../../engine/ledger/ledger-answers.ts";
import { agentNames } from "../components/page-agents.ts";
import {
  costCell,
  link,
  longestName,
  numberCell,
  textCell,
  timeCell,
  column,
  numberColumn,
  extra,
  largestFirst,
} from "../components/table/table-cells.ts";
import { sum } from "../components/charts/series.ts";
import type { Cell } from "../components/table/table-rows.ts";
import { outside, outsidePath, relativePath, shortPaths } from "../components/outside.ts";
import { sessionCount, turnCount } from "../components/sentences.ts";
import type { RenderContext } from "./ledger-model.ts";
import { namedIn, sessionName, sessionText } from "./session-name.ts";
import { processingTokens, anomalyReason, causeNames } from "./describe-ledger.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import { icon } from "../components/icon.ts";
import { moment } from "../components/times.ts";

/** Maximum length of a file path. Characters. */
const maxPathLength = 72;

/**
 * Lists files that were read again, the most read first; the same file of several sessions is one row. Paths are relative to the
 * session's folder. @param isNamed whether rows name their sessions
 */
export function rereadTable(
  context: RenderContext,
  rereads: readonly Reread[],
  sessions: readonly SessionSummary[],
  isNamed: boolean,
): TemplateResult {
  const known = new Map(sessions.map((session) => [session.id, session]));
  const byPath = new Map<string, Reread[]>();
  for (const reread of rereads) {
    const held = byPath.get(reread.path);
    if (held === undefined) byPath.set(reread.path, [reread]);
    else held.push(reread);
  }
  const readsOf = (own: readonly Reread[]) => sum(own.map(({ reads }) => reads));
  const files = [...byPath].toSorted(([, one], [, other]) => readsOf(other) - readsOf(one));
  const rows = files.map(([path, own]) => {
    const folders = new Set(own.map(({ sessionId }) => known.get(sessionId)?.cwd ?? null));
    const [folder = null] = folders.size === 1 ? folders : [];
    const chars = own.every((each) => each.chars === null) ? null : sum(own.map((each) => each.chars ?? 0));
    return {
      key: path,
      cells: [
        { content: () => outsidePath(path, relativePath(path, folder), maxPathLength), sort: path },
        numberCell(readsOf(own)),
        numberCell(chars),
        ...(isNamed ? [sessionsCell(context, own, known)] : []),
      ],
    };
  });
  const headings = [
    column(t("File")),
    largestFirst(numberColumn(t("Reads"))),
    numberColumn(t("Characters"), t("Of all reads together")),
    ...(isNamed ? [column(t("Session"))] : []),
  ];
  return dataTable({ label: t("Files read again"), headings, rows });
}

/** Names the session that read a file again; several are listed on demand. */
function sessionsCell(
  { actions, now }: RenderContext,
  own: readonly Reread[],
  known: ReadonlyMap<string, SessionSummary>,
): Cell {
  const named = (sessionId: string) =>
    link(sessionName(known.get(sessionId) ?? { id: sessionId, title: null }, now, 32), () =>
      actions.openSession(sessionId),
    );
  const [first] = own;
  if (first === undefined) return textCell(null);
  if (own.length === 1)
    return {
      content: () => named(first.sessionId),
      sort: sessionText(known.get(first.sessionId) ?? { id: first.sessionId, title: null }, now),
    };
  const content = () =>
    html`<details>
      <summary>${sessionCount(own.length)}</summary>
      <ul>
        ${own.map(({ sessionId, reads }) => html`<li>${named(sessionId)} <span class="quiet">${plural(reads, t("1 read"), t("{0} reads", wholeNumber(reads)))}</span></li>`)}
      </ul>
    </details>`;
  return { content, sort: own.length };
}

export function sessionTable(context: RenderContext, { sessions }: Overview): TemplateResult {
  const { actions, now } = context;
  const path = pathNames(sessions.map(({ cwd }) => cwd));
  const rows = sessions.map((session) => {
    const { id, program, cwd, lastAt, usage, responses } = session;
    return {
      key: id,
      cells: [
        {
          content: () => link(sessionName(session, now), () => actions.openSession(id)),
          sort: sessionText(session, now),
        },
        program === null ? textCell(null) : agentCell(agentNames.of(program)),
        cwd === null ? textCell(null) : { content: () => path(cwd), sort: cwd },
        timeCell(lastAt, now),
        numberCell(responses),
        numberCell(processingTokens(usage)),
        costCell(session),
      ],
    };
  });
  const headings = [
    column(t("Session")),
    extra(column(t("Agent"))),
    extra(column(t("Project"))),
    extra(largestFirst(numberColumn(t("Last active")))),
    extra(numberColumn(t("Responses"))),
    numberColumn(t("New tokens")),
    numberColumn(t("Cost (USD)"), t("At list prices")),
  ];
  return dataTable({
    id: "sessions",
    label: t("Sessions"),
    headings,
    rows,
    most: 12,
    isSearchable: true,
  });
}

function agentCell(name: string): Cell {
  return { content: () => html`<span class="keep">${outside(name, longestName)}</span>`, sort: name };
}

/** Names paths by the fewest last folders that distinguish them. */
export function pathNames(paths: readonly (string | null)[]): (path: string) => TemplateResult {
  const names = shortPaths(paths.filter((path) => path !== null));
  return (path) => outsidePath(path, names.get(path) ?? path, longestName);
}

/** Anomalies shown at first. */
const maxAnomalies = 5;

/** Lists anomalies with their reasons and their responses. */
export function anomalyList(
  context: RenderContext,
  anomalies: readonly Anomaly[],
  turns: (anomaly: Anomaly) => unknown,
): TemplateResult {
  const isWhole = context.tables.has("anomalies") || anomalies.length <= maxAnomalies + 1;
  const shown = isWhole ? anomalies : anomalies.slice(0, maxAnomalies);
  return html`<ul class="warnings anomalies">
      ${shown.map(
        (anomaly) =>
          html`<li>
            <span class="sign">${icon("warning")}</span>
            <div>
              <p><strong>${causeNames[anomaly.cause]}.</strong> ${anomalyReason(anomaly)}</p>
              <p class="quiet">
                ${turns(anomaly)}${anomaly.at === null ? nothing : html` · ${moment(anomaly.at, context.now)}`}
              </p>
            </div>
          </li>`,
      )}
    </ul>
    ${
      isWhole
        ? nothing
        : html`<button class="link" @click=${() => context.actions.toggleTable("anomalies")}>
            ${t("Show all {0}", anomalies.length)}
          </button>`
    }`;
}

/** Links an anomaly of the overview to its session. */
export function anomalyPlace(
  { actions, now }: RenderContext,
  { sessionId, title, project, at, turns }: Anomaly,
  overview: Pick<Overview, "sessions">,
): TemplateResult {
  const session = namedIn(overview, { id: sessionId, title, cwd: project, lastAt: at });
  const count = turns.length === 0 ? nothing : html` · ${turnCount(turns.length)}`;
  return html`${link(sessionName(session, now), () => actions.openSession(sessionId))}${count}`;
}
