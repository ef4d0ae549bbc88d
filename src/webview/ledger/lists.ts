import { html, type TemplateResult } from "lit";
import type { Overview, Reread, SessionSummary } from "../../engine/ledger/answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { costCell, link, numberCell, textCell, timeCell } from "../components/table/cells.ts";
import { outsidePath } from "../components/outside.ts";
import { relativePath } from "../components/charts/paths.ts";
import type { RenderContext } from "./actions.ts";
import { pathNames, sessionName } from "./cells.ts";
import { processingTokens } from "./measure.ts";

/** Longest file path shown in full. Characters. */
const longestPath = 72;

/** Lists files that were read again. Paths are relative to the session's folder. @param isNamed whether each row names its session */
export function rereadTable(
  { actions }: RenderContext,
  rereads: readonly Reread[],
  sessions: readonly SessionSummary[],
  isNamed: boolean,
): TemplateResult {
  const known = new Map(sessions.map((session) => [session.id, session]));
  const rows = rereads.map(({ path, sessionId, reads, chars }) => {
    const session = known.get(sessionId);
    const title = session?.title ?? null;
    const name = () => link(sessionName(sessionId, title, 32), () => actions.openSession(sessionId));
    return {
      key: `${sessionId} ${path}`,
      cells: [
        {
          content: () => outsidePath(path, relativePath(path, session?.cwd ?? null), longestPath),
          sort: path,
        },
        numberCell(reads),
        numberCell(chars),
        ...(isNamed ? [{ content: name, sort: title ?? sessionId }] : []),
      ],
    };
  });
  const headings = [
    { text: "File" },
    { text: "Reads", isNumber: true },
    { text: "Characters", isNumber: true, title: "Of all reads together" },
    ...(isNamed ? [{ text: "Session", isExtra: true }] : []),
  ];
  return html`<purser-table label="Files read again" .headings=${headings} .rows=${rows}></purser-table>`;
}

export function sessionTable(context: RenderContext, { sessions }: Overview): TemplateResult {
  const { actions, now } = context;
  const path = pathNames(sessions.map(({ cwd }) => cwd));
  const rows = sessions.map((session) => {
    const { id, title, program, cwd, lastAt, usage, responses } = session;
    return {
      key: id,
      cells: [
        { content: () => link(sessionName(id, title), () => actions.openSession(id)), sort: title ?? id },
        textCell(program === null ? null : agentNames.of(program)),
        cwd === null ? textCell(null) : { content: () => path(cwd), sort: cwd },
        timeCell(lastAt, now),
        numberCell(responses),
        numberCell(processingTokens(usage)),
        costCell(session),
      ],
    };
  });
  const headings = [
    { text: "Session" },
    { text: "Agent", isExtra: true },
    { text: "Project", isExtra: true },
    { text: "Last active", isNumber: true, isExtra: true },
    { text: "Responses", isNumber: true, isExtra: true },
    { text: "Processing tokens", isNumber: true },
    { text: "Cost (USD)", isNumber: true, title: "At list prices" },
  ];
  return html`<purser-table
    id="sessions"
    label="Sessions"
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
}
