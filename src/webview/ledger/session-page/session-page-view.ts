import { factList } from "../../components/states.ts";
import { html, nothing, type TemplateResult } from "lit";
import { dollars, estimatedNumber, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import type { Anomaly, SessionPage, SessionTurn } from "../../../engine/ledger/ledger-answers.ts";
import { agentNames } from "../../components/page-agents.ts";
import { link } from "../../components/table/table-cells.ts";
import "../../components/charts/area.ts";
import "../../components/charts/bar.ts";
import { sum } from "../../components/charts/series.ts";
import { describeCost, standardTierSentence } from "../../components/figures.ts";
import { outside, outsidePath } from "../../components/outside.ts";
import "../../components/section.ts";
import { tableToggle } from "../../components/table/table.ts";
import { duration, moment } from "../../components/times.ts";
import type { RenderContext, Actions } from "../ledger-model.ts";
import { anomalyList, rereadTable } from "../lists.ts";
import { processingTokens, notes } from "../describe-ledger.ts";
import { compactionDiffs } from "./compared-compactions.ts";
import { fillTable, runTable, subagentTable, toolTable, turnTable } from "./page-tables.ts";
import { compactionMarks, contextStack, mainTurns, tokenStack, type Stack } from "../turns.ts";
import { bandsOf, describeRoom, levelsOf, roomOf, shareOf } from "./room.ts";
import { sessionHead } from "./session-head.ts";
import { scorecardSection } from "./scorecard.ts";
import { workState } from "./work-state.ts";
import { whySection } from "../why-section.ts";
import type { SessionWork } from "../ledger-protocol.ts";
import { compactionCount, responseCount, turnCount, filled, spaced } from "../../components/sentences.ts";
import type { HandoverView } from "../../../engine/continuity/continuity-answers.ts";

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
  const now = work?.now ?? null;
  return html`${now === null ? nothing : sessionHead(now, { session: page.session, at: context.now })}
  ${
    turns.length === 0
      ? html`<p class="quiet">${t("The main conversation has no response yet.")}</p>`
      : charts(context, { page, work }, turns)
  }
  ${whySection(context)}
  ${part(t("What fills the context now"), notes.fill, fill === undefined ? null : fillTable(fill))}
  ${part(t("State of the work"), notes.state, page.state === null ? null : workState(page.state, context.now))}
  ${part(
    t("What compactions lost"),
    notes.compactions,
    page.compactionDiffs.length === 0
      ? null
      : compactionDiffs(context, page.compactionDiffs, page.session.id),
  )}
  ${part(
    t("Anomalies"),
    notes.anomalies,
    anomalies.length === 0 ? null : anomalyList(context, anomalies, (one) => turnLinks(context, one, turns)),
  )}
  ${part(t("Files read again"), notes.rereads, rereads.length === 0 ? null : rereadTable(context, rereads, [page.session], false))}
  ${part(t("Compared with your sessions"), notes.scorecard, scorecard === null || scorecard.prompts === 0 ? null : scorecardSection(scorecard))}
  ${part(t("About this session"), "", facts(context, page, work))}
  ${part(t("Difference from the agent's own total"), notes.official, official(page))}
  ${part(t("Tools"), notes.tools, tools.length === 0 ? null : toolTable(tools))}
  ${part(t("Subagents"), notes.subagents, subagents.length === 0 ? null : subagentTable(subagents))}
  ${part(t("Runs"), notes.runs, runs.length === 0 ? null : runTable(runs, context.now))}
  ${part(t("Turns"), notes.turns, page.turns.length === 0 ? null : turnTable(page.turns, context.now))}`;
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
    [t("Agent"), program === null ? t("unknown") : outside(agentNames.of(program), 40)],
    [
      t("Model"),
      models.length === 0
        ? t("unknown")
        : models.map((model, i) => html`${i > 0 ? ", " : ""}${outside(model, 40)}`),
    ],
    [t("Project"), cwd === null ? t("unknown") : outsidePath(cwd, cwd, 60)],
    ...(branch === null || branch === detached
      ? []
      : [[t("Branch"), outside(branch, 60)] satisfies [string, unknown]]),
    [t("Time"), times(firstAt, lastAt, now)],
    [t("Compactions"), wholeNumber(compactions.length)],
  ];
  if (parentId !== null)
    rows.push([t("Forked from"), link(outside(parentId, 36), () => actions.openSession(parentId))]);
  rows.push(...workLinks(work, actions));
  return html`<div class="totals">
    <p class="one">
      ${filled(t("{0} new tokens (not from cache)"), html`<span class="number">${wholeNumber(processingTokens(usage))}</span>`)}
    </p>
    <p class="quiet number">
      ${t("{0} at list prices", describeCost(session))} · ${responseCount(responses)}
    </p>
    ${
      session.standardTier > 0
        ? html`<p class="quiet">${standardTierSentence(session.standardTier)}</p>`
        : nothing
    }
    ${
      session.isCountedBefore
        ? html`<p class="quiet">${t("Counted by an earlier version; its transcript is not read again.")}</p>`
        : nothing
    }
    ${factList(rows)}
  </div>`;
}

function times(first: number | null, last: number | null, now: number): string {
  if (first === null || last === null) return t("unknown");
  return `${moment(first, now)} – ${moment(last, now)} (${duration(last - first)})`;
}

function charts(
  context: RenderContext,
  { page, work }: { readonly page: SessionPage; readonly work: SessionWork | null },
  turns: readonly SessionTurn[],
): TemplateResult {
  const names = turns.map(({ at }, index) =>
    at === null ? t("Turn {0}", index + 1) : t("Turn {0} · {1}", index + 1, moment(at, context.now)),
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
  const label = t("Context by turn, tokens");
  const room = roomOf(page, work?.room ?? null);
  const stack = contextStack(turns);
  const { columns, series } = turnColumns(stack, names);
  const last = columns.at(-1);
  const marks = compactionMarks(page, turns);
  return html`<purser-section heading=${t("Context over turns")} note=${notes.context}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("context"))}</div>
    <purser-area-chart
      id="context"
      label=${label}
      columnHeading=${t("Turn")}
      .series=${series}
      .columns=${columns}
      .marks=${marks}
      .levels=${room === null ? [] : levelsOf(room)}
      .bands=${room === null ? [] : bandsOf(room)}
      lastName=${room === null || last === undefined ? "" : shareOf(sum(last.values), room)}
      .summary=${{ name: last === undefined ? "" : t("Latest: {0}", last.name), values: last?.values ?? [] }}
      .format=${(value: number) => (room === null ? wholeNumber(value) : `${wholeNumber(value)} · ${shareOf(value, room)}`)}
      .partFormat=${stack.areEstimates ? (value: number) => `~${estimatedNumber(value)}` : wholeNumber}
      .axisFormat=${shortNumber}
      ?isTable=${isTable}
    ></purser-area-chart>
    ${
      isTable || marks.length === 0
        ? nothing
        : html`<p class="quiet key">${key(compactionCount(marks.length))}</p>`
    }
    ${room === null ? nothing : html`<p class="hidden-text">${describeRoom(room, marks.length)}</p>`}
  </purser-section>`;
}

/** Explains a line across the chart. */
function key(what: string): TemplateResult {
  return html`<span class="with-icon"
    ><svg class="dash" aria-hidden="true"><line x1="7" x2="7" y2="14" /></svg>${what}</span
  >`;
}

function tokenChart(
  context: RenderContext,
  turns: readonly SessionTurn[],
  names: readonly string[],
): TemplateResult {
  const isTable = context.tables.has("turns");
  const label = t("New tokens by turn");
  const { columns, series } = turnColumns(tokenStack(turns), names);
  const values = series.map((_, index) =>
    columns.reduce((total, column) => total + (column.values[index] ?? 0), 0),
  );
  return html`<purser-section heading=${t("New tokens per turn")} note=${notes.perTurn}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("turns"))}</div>
    <purser-bar-chart
      label=${label}
      columnHeading=${t("Turn")}
      .series=${series}
      .columns=${columns}
      .summary=${{ name: plural(turns.length, t("All 1 turn"), t("All {0} turns", wholeNumber(turns.length))), values }}
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
    ? t("They agree.")
    : difference === null
      ? t("Ours is not known, as the price of a model is not.")
      : difference > 0
        ? t("The agent counts calls that no transcript row tells of, such as the summary of a compaction.")
        : t(
            "The transcripts tell of responses that the agent's total does not have, such as those before it was resumed.",
          );
  return html`<dl class="facts">
      <dt>${t("Official")}</dt>
      <dd class="number">${dollars(usd)}</dd>
      <dt>${t("Ours")}</dt>
      <dd class="number">${ours === null ? t("unknown") : dollars(ours)}</dd>
      <dt>${t("Difference")}</dt>
      <dd class="number">
        ${difference === null ? t("unknown") : `${difference > 0 ? "+" : ""}${dollars(difference)}`}
      </dd>
    </dl>
    <p class="quiet nothing">${why}</p>`;
}

/** Links the turns that caused an anomaly, numbered as in the main conversation. */
function turnLinks(context: RenderContext, anomaly: Anomaly, main: readonly SessionTurn[]): unknown {
  const { turns, agentId, sessionId } = anomaly;
  if (agentId !== null && agentId !== sessionId)
    return plural(
      turns.length,
      t("1 response of a subagent"),
      t("{0} responses of a subagent", wholeNumber(turns.length)),
    );
  const places = turns.flatMap((messageId) => {
    const index = main.findIndex((turn) => turn.messageId === messageId);
    return index === -1 ? [] : [{ messageId, turn: index + 1 }];
  });
  if (places.length === 0) return turnCount(turns.length);
  const shown = places.slice(0, 8);
  return html`${shown.map(
    ({ messageId, turn }, index) =>
      html`${index > 0 ? ", " : ""}${link(t("Turn {0}", turn), () => context.actions.showTurn(messageId))}`,
  )}${places.length > shown.length ? html` ${t("and {0} more", places.length - shown.length)}` : nothing}`;
}

/** The sessions before and after this one on the same work, and what became of the document between them. */
function workLinks(work: SessionWork | null, actions: Actions): [string, unknown][] {
  if (work === null) return [];
  const { handedTo, cameFrom } = work;
  const rows: [string, unknown][] = [];
  if (cameFrom !== null)
    rows.push([
      t("Continues"),
      link(spaced(agent(cameFrom.program), outside(cameFrom.sessionId, 36)), () =>
        actions.openSession(cameFrom.sessionId),
      ),
    ]);
  if (handedTo !== null) rows.push([t("Handed over"), successor(handedTo, actions)]);
  return rows;
}

const states: Readonly<Record<HandoverView["state"], string>> = {
  made: t("handover written, not used yet"),
  taken: "",
  out_of_date: t("handover written; the project changed since"),
  ignored: t("a document was written, and no session began with it"),
};

function successor({ state, toProgram, toSession }: HandoverView, actions: Actions): unknown {
  if (toSession === null) return states[state];
  return html`${filled(
    t("to {0}"),
    link(spaced(agent(toProgram), outside(toSession, 36)), () => actions.openSession(toSession)),
  )}`;
}

function agent(program: string | null): unknown {
  return program === null ? t("a session") : outside(agentNames.of(program), 40);
}
