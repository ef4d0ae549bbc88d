import { html, nothing, type TemplateResult } from "lit";
import { dollars, shortNumber, wholeNumber } from "../../../engine/base/text/format.ts";
import type { Anomaly, SessionPage, SessionTurn } from "../../../engine/ledger/answers.ts";
import { agentNames } from "../../components/page-agents.ts";
import { link } from "../../components/table/cells.ts";
import "../../components/charts/area.ts";
import "../../components/charts/bar.ts";
import { sum } from "../../components/charts/series.ts";
import { describeCost, plural } from "../../components/figures.ts";
import { outside, outsidePath } from "../../components/outside.ts";
import "../../components/section.ts";
import { tableToggle } from "../../components/table/table.ts";
import { duration, moment } from "../../components/times.ts";
import type { RenderContext } from "../actions.ts";
import { anomalyList } from "../anomaly-list.ts";
import { rereadTable } from "../lists.ts";
import { processingTokens } from "../measure.ts";
import { compactionDiffs } from "./compared-compactions.ts";
import { fillTable, runTable, subagentTable, toolTable, turnTable } from "./page-tables.ts";
import { compactionMarks, contextStack, mainTurns, tokenStack, type Stack } from "../turns.ts";
import { notes } from "../describe.ts";
import { adviceMarks, bandsOf, describeRoom, levelsOf, roomOf, shareOf } from "./room.ts";
import { scorecardSection } from "./scorecard.ts";
import { workLinks } from "./work-links.ts";
import { workState } from "./work-state.ts";
import type { SessionWork } from "../protocol.ts";

/** Shows one session below its heading. */
export function sessionView(
  context: RenderContext,
  page: SessionPage,
  work: SessionWork | null,
): TemplateResult {
  const turns = mainTurns(page);
  const fill = turns.findLast((turn) => turn.fill !== null);
  const { anomalies, rereads, subagents, runs, tools } = page;
  const scorecard = work?.scorecard ?? null;
  return html`${facts(context, page, work)}
  ${part("Beside your own sessions", notes.scorecard, scorecard === null || scorecard.prompts === 0 ? null : scorecardSection(scorecard))}
  ${part("State of the work", notes.state, page.state === null ? null : workState(page.state, context.now))}
  ${
    turns.length === 0
      ? html`<p class="quiet">The main conversation has no response yet.</p>`
      : charts(context, { page, work }, turns)
  }
  ${part(
    "What compactions lost",
    notes.compactions,
    page.compactionDiffs.length === 0
      ? null
      : compactionDiffs(context, page.compactionDiffs, page.session.id),
  )}
  ${part("What fills the context now", notes.fill, fill === undefined ? null : fillTable(fill))}
  ${part("Difference from the agent's own total", notes.official, official(page))}
  ${part(
    "Anomalies",
    notes.anomalies,
    anomalies.length === 0 ? null : anomalyList(context, anomalies, (one) => turnLinks(context, one, turns)),
  )}
  ${part("Files read again", notes.rereads, rereads.length === 0 ? null : rereadTable(context, rereads, [page.session], false))}
  ${part("Tools", notes.tools, tools.length === 0 ? null : toolTable(tools))}
  ${part("Subagents", notes.subagents, subagents.length === 0 ? null : subagentTable(subagents))}
  ${part("Runs", notes.runs, runs.length === 0 ? null : runTable(runs, context.now))}
  ${part("Turns", notes.turns, page.turns.length === 0 ? null : turnTable(page.turns, context.now))}`;
}

/** The branch that agents report when there is none. */
const detached = "HEAD";

/** A section of the page; nothing when it has no content. */
function part(heading: string, note: string, body: TemplateResult | null): TemplateResult | typeof nothing {
  return body === null
    ? nothing
    : html`<purser-section heading=${heading} note=${note}>${body}</purser-section>`;
}

function facts(
  { now, actions }: RenderContext,
  { session, turns, compactions }: SessionPage,
  work: SessionWork | null,
): TemplateResult {
  const { program, cwd, branch, firstAt, lastAt, parentId, usage, responses } = session;
  const models = [...new Set(turns.map(({ model }) => model))];
  const rows: [string, unknown][] = [
    ["Agent", program === null ? "unknown" : outside(agentNames.of(program), 40)],
    [
      "Model",
      models.length === 0
        ? "unknown"
        : models.map((model, i) => html`${i > 0 ? ", " : ""}${outside(model, 40)}`),
    ],
    ["Project", cwd === null ? "unknown" : outsidePath(cwd, cwd, 60)],
    ...(branch === null || branch === detached
      ? []
      : [["Branch", outside(branch, 60)] satisfies [string, unknown]]),
    ["Time", times(firstAt, lastAt, now)],
    ["Compactions", wholeNumber(compactions.length)],
  ];
  if (parentId !== null)
    rows.push(["Forked from", link(outside(parentId, 36), () => actions.openSession(parentId))]);
  rows.push(...workLinks(work, actions));
  return html`<div class="totals">
    <p class="one"><span class="number">${wholeNumber(processingTokens(usage))}</span> new tokens</p>
    <p class="quiet number">
      ${describeCost(session)} at list prices · ${plural(responses, "response", "responses")}
    </p>
    <dl class="facts">
      ${rows.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </div>`;
}

function times(first: number | null, last: number | null, now: number): string {
  if (first === null || last === null) return "unknown";
  return `${moment(first, now)} – ${moment(last, now)} (${duration(last - first)})`;
}

function charts(
  context: RenderContext,
  { page, work }: { readonly page: SessionPage; readonly work: SessionWork | null },
  turns: readonly SessionTurn[],
): TemplateResult {
  const names = turns.map(({ at }, index) =>
    at === null ? `Turn ${index + 1}` : `Turn ${index + 1} · ${moment(at, context.now)}`,
  );
  return html`${contextChart(context, { page, work }, turns, names)} ${tokenChart(context, turns, names)}`;
}

function contextChart(
  context: RenderContext,
  { page, work }: { readonly page: SessionPage; readonly work: SessionWork | null },
  turns: readonly SessionTurn[],
  names: readonly string[],
): TemplateResult {
  const isTable = context.tables.has("context");
  const label = "Context by turn, tokens";
  const room = roomOf(page, work?.room ?? null);
  const stack = contextStack(turns);
  const { columns, series } = turnColumns(stack, names);
  const last = columns.at(-1);
  const marks = compactionMarks(page, turns);
  const advised = room === null ? [] : adviceMarks(turns, room);
  return html`<purser-section heading="Context over turns" note=${notes.context}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("context"))}</div>
    <purser-area-chart
      id="context"
      label=${label}
      columnHeading="Turn"
      .series=${series}
      .columns=${columns}
      .marks=${marks}
      .levels=${room === null ? [] : levelsOf(room)}
      .bands=${room === null ? [] : bandsOf(room)}
      .notes=${advised}
      lastName=${room === null || last === undefined ? "" : shareOf(sum(last.values), room)}
      .summary=${{ name: last === undefined ? "" : `Latest: ${last.name}`, values: last?.values ?? [] }}
      .format=${(value: number) => (room === null ? wholeNumber(value) : `${wholeNumber(value)} · ${shareOf(value, room)}`)}
      .partFormat=${stack.areEstimates ? (value: number) => `~${wholeNumber(value)}` : wholeNumber}
      .axisFormat=${shortNumber}
      ?isTable=${isTable}
    ></purser-area-chart>
    ${
      isTable || (marks.length === 0 && advised.length === 0)
        ? nothing
        : html`<p class="quiet key">
            ${marks.length === 0 ? nothing : key("dash", plural(marks.length, "compaction", "compactions"))}
            ${advised.length === 0 ? nothing : key("dotted", `advised to ${advised.some(({ name }) => name === "wrap up") ? "wrap up" : ""}${advised.some(({ name }) => name === "end the turn") ? ", or to end the turn" : ""}`)}
          </p>`
    }
    ${room === null ? nothing : html`<p class="hidden-text">${describeRoom(room, { compactions: marks.length, advice: advised })}</p>`}
  </purser-section>`;
}

/** Says what a line across the chart is. */
function key(style: "dash" | "dotted", what: string): TemplateResult {
  return html`<span class="with-icon"
    ><svg class=${style} aria-hidden="true"><line x1="7" x2="7" y2="14" /></svg>${what}</span
  >`;
}

function tokenChart(
  context: RenderContext,
  turns: readonly SessionTurn[],
  names: readonly string[],
): TemplateResult {
  const isTable = context.tables.has("turns");
  const label = "New tokens by turn";
  const { columns, series } = turnColumns(tokenStack(turns), names);
  const values = series.map((_, index) =>
    columns.reduce((total, column) => total + (column.values[index] ?? 0), 0),
  );
  return html`<purser-section heading="New tokens per turn" note=${notes.perTurn}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("turns"))}</div>
    <purser-bar-chart
      label=${label}
      columnHeading="Turn"
      .series=${series}
      .columns=${columns}
      .summary=${{ name: `All ${plural(turns.length, "turn", "turns")}`, values }}
      .format=${wholeNumber}
      .axisFormat=${shortNumber}
      ?isTable=${isTable}
    ></purser-bar-chart>
  </purser-section>`;
}

function turnColumns({ series, values }: Stack, names: readonly string[]) {
  const columns = names.map((name, index) => ({
    name,
    tick: String(index + 1),
    values: values.map((one) => one[index] ?? 0),
  }));
  return { series, columns };
}

/** A smaller difference between the agent's figure and ours is rounding. USD. */
const noDifference = 0.005;

function official({ official: told }: SessionPage): TemplateResult | null {
  if (told === null) return null;
  const { usd, ours, difference } = told;
  const isSame = difference !== null && Math.abs(difference) < noDifference;
  const why = isSame
    ? "They agree."
    : difference === null
      ? "Ours is not known, as the price of a model is not."
      : difference > 0
        ? "The agent counts calls that no transcript row tells of, such as the summary of a compaction."
        : "The transcripts tell of responses that the agent's total does not have, such as those before it was resumed.";
  return html`<dl class="facts">
      <dt>Official</dt>
      <dd class="number">${dollars(usd)}</dd>
      <dt>Ours</dt>
      <dd class="number">${ours === null ? "unknown" : dollars(ours)}</dd>
      <dt>Difference</dt>
      <dd class="number">
        ${difference === null ? "unknown" : `${difference > 0 ? "+" : ""}${dollars(difference)}`}
      </dd>
    </dl>
    <p class="quiet nothing">${why}</p>`;
}

/** Links the turns that caused an anomaly, numbered as in the main conversation. */
function turnLinks(context: RenderContext, anomaly: Anomaly, main: readonly SessionTurn[]): unknown {
  const { turns, agentId, sessionId } = anomaly;
  if (agentId !== null && agentId !== sessionId)
    return plural(turns.length, "response of a subagent", "responses of a subagent");
  const places = turns.flatMap((messageId) => {
    const index = main.findIndex((turn) => turn.messageId === messageId);
    return index === -1 ? [] : [{ messageId, turn: index + 1 }];
  });
  if (places.length === 0) return plural(turns.length, "turn", "turns");
  const shown = places.slice(0, 8);
  return html`${shown.map(
    ({ messageId, turn }, index) =>
      html`${index > 0 ? ", " : ""}${link(`Turn ${turn}`, () => context.actions.showTurn(messageId))}`,
  )}${places.length > shown.length ? html` and ${places.length - shown.length} more` : nothing}`;
}
