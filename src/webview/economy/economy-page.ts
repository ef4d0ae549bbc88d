import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type {
  EconomyView,
  GuardrailChange,
  GuardrailRate,
} from "../../engine/recurring/recurring-answers.ts";
import { cards } from "../components/figures.ts";
import { outside } from "../components/outside.ts";
import "../components/section.ts";
import { stateView } from "../components/states.ts";
import { dataTable } from "../components/table/table.ts";
import {
  link,
  absentCell,
  textCell,
  timeCell,
  column,
  numberColumn,
  extra,
} from "../components/table/table-cells.ts";
import { filled } from "../components/sentences.ts";
import type { RenderContext } from "./economy-model.ts";
import { headline, notes, guardrailWords, resultWords } from "./describe-economy.ts";
import {
  agentTable,
  ordinaryTable,
  promptTable,
  targetTable,
  versionTable,
  wakeTable,
} from "./figure-tables.ts";
import { differenceFigures, rateWords } from "../../engine/recurring/guardrail-answers.ts";
import type { Cell } from "../components/table/table-rows.ts";

/** Shows everything below the title. */
export function economyPage(context: RenderContext, view: EconomyView): TemplateResult {
  const { report, ordinary } = view;
  if (report.total.wakes === 0 && ordinary.length === 0) return emptyPage(context);
  return html`${report.total.wakes === 0 ? noWakes(context) : wakeSections(context, view)}
  ${
    ordinary.length === 0
      ? nothing
      : html`<purser-section heading=${t("Your own sessions")} note=${notes.ordinary}>
          ${ordinaryTable(view)}
        </purser-section>`
  }`;
}

function emptyPage({ actions, model }: RenderContext): TemplateResult {
  return stateView({
    icon: "inbox",
    heading: t("Nothing to compare yet"),
    text: t(
      "No agent was woken and no session was recorded in the last {0} days. A recurring agent works on tasks by a schedule, in the session it had: it is a file in .purser/agents.",
      model.kept.days,
    ),
    actions: [{ label: t("New Recurring Agent…"), run: () => actions.post({ type: "getStarted" }) }],
  });
}

function noWakes({ actions, model }: RenderContext): TemplateResult {
  return html`<purser-section heading=${t("Recurring agents")} note=${notes.agents}>
    <p class="quiet">
      ${t("No agent was woken in the last {0} days. A recurring agent works on tasks by a schedule, in the session it had.", model.kept.days)}
    </p>
    ${link(t("New Recurring Agent…"), () => actions.post({ type: "getStarted" }))}
  </purser-section>`;
}

function wakeSections(context: RenderContext, view: EconomyView): TemplateResult {
  const { report } = view;
  const changed = report.agents.filter(({ versions }) => versions.length > 1);
  return html`${totals(view)}
    <purser-section heading=${t("Targets")} note=${notes.targets}
      >${targetTable(report.targets)}</purser-section
    >
    <purser-section heading=${t("Recurring agents")} note=${notes.agents}
      >${agentTable(context, view)}</purser-section
    >
    ${
      changed.length === 0
        ? nothing
        : html`<purser-section heading=${t("Before and after each change")} note=${notes.versions}>
              ${changed.map(
                (each) =>
                  html`<h3>${outside(each.agent, 60)}</h3>
                    ${versionTable(context, each)}`,
              )}
            </purser-section>
            <purser-section heading=${t("What must not become worse")} note=${notes.guardrails}>
              ${changed.map(
                (each) =>
                  html`<h3>${outside(each.agent, 60)}</h3>
                    ${guardrailTable(context, each)}`,
              )}
            </purser-section>`
    }
    <purser-section heading=${t("Wakes")} note=${notes.wakes}>${wakeTable(context, view)}</purser-section>
    <purser-section heading=${t("Prompts and skills")} note=${notes.prompts}
      >${promptTable(view)}</purser-section
    >`;
}

/** Shows the main figure, and what must not become worse for it. */
function totals(view: EconomyView): TemplateResult {
  const { guardrails } = view.report.total;
  const main = headline(view);
  const figure = html`<span class="number">${main?.figure}</span>`;
  const figures: readonly (readonly [string, number])[] = [
    [t("Completed tasks"), guardrails.completedTasks],
    [t("Reopened"), guardrails.reopened],
    [t("Blocked"), guardrails.blocked],
    [t("Failed"), guardrails.failed],
    [t("Stopped at a limit"), guardrails.limited],
    [t("Interrupted"), guardrails.interrupted],
    [t("Quota or network"), guardrails.environment],
    [t("Failed resumes"), guardrails.failedResumes],
    [t("Woken by hand"), guardrails.manual],
  ];
  return html`<div class="totals">
    ${main === null ? nothing : html`<p class="one">${filled(main.sentence, figure, ...main.values)}</p>`}
    ${cards(figures)}
  </div>`;
}

/** Compares what must not become worse before and after each change of an agent's file. */
function guardrailTable(
  { now }: RenderContext,
  { agent, versions }: EconomyView["report"]["agents"][number],
): TemplateResult {
  const rows = versions.flatMap(({ since, guardrailChanges }, index) =>
    guardrailChanges.map(({ name, before, after, difference, result }) => ({
      key: `${index} ${name}`,
      cells: [
        textCell(guardrailWords[name]),
        timeCell(since, now),
        textCell(resultWords[result]),
        differenceCell(difference),
        rateCell(before),
        rateCell(after),
      ],
    })),
  );
  const headings = [
    column(t("Guardrail")),
    column(t("Since")),
    column(t("Result")),
    numberColumn(t("Change (points)"), t("After minus before, in percentage points, with its range")),
    extra(numberColumn(t("Before"))),
    extra(numberColumn(t("After"))),
  ];
  return dataTable({ label: t("Guardrails of {0}", agent), headings, rows, most: 6 });
}

function rateCell(rate: GuardrailRate): Cell {
  const text = rateWords(rate);
  return text === null ? absentCell(t("no wakes")) : { content: () => text, sort: rate.rate?.value ?? null };
}

function differenceCell(difference: GuardrailChange["difference"]): Cell {
  const text = differenceFigures(difference);
  return text === null ? absentCell() : { content: () => text, sort: difference?.value ?? null };
}
