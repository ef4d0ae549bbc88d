import { dataTable } from "../components/table/table.ts";
import { html, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type {
  EconomyFigures,
  EconomyTarget,
  EconomyView,
  GuardrailRate,
} from "../../engine/recurring/recurring-answers.ts";
import { rateWords } from "../../engine/recurring/guardrail-answers.ts";
import { outside } from "../components/outside.ts";
import { agentNames } from "../components/page-agents.ts";
import {
  absentCell,
  costCell,
  link,
  numberCell,
  textCell,
  timeCell,
  column,
  numberColumn,
  extra,
} from "../components/table/table-cells.ts";
import type { Cell } from "../components/table/table-rows.ts";
import { moment } from "../components/times.ts";
import type { RenderContext } from "./economy-model.ts";
import { describeWake, targetNames } from "./describe-economy.ts";

/** Maximum length of a name. Characters. */
const maxNameLength = 60;

/** Compares what was reached with what is aimed at. */
export function targetTable(targets: readonly EconomyTarget[]): TemplateResult {
  const rows = targets.map(({ name, wanted, actual, isReached, change }) => ({
    key: name,
    cells: [
      textCell(targetNames[name]),
      rateCell(change?.before) ?? (name === "completion" ? textCell(t("as before")) : shareCell(wanted)),
      rateCell(change?.after) ?? shareCell(actual),
      {
        content: () =>
          isReached === null
            ? html`<span class="quiet">${t("Not known yet")}</span>`
            : isReached
              ? html`<span class="whole">${t("✓ Reached")}</span>`
              : html`<span class="whole">${t("✗ Missed")}</span>`,
        sort: isReached === null ? null : Number(isReached),
      },
    ],
  }));
  const headings = [
    column(t("Target")),
    numberColumn(t("At least")),
    numberColumn(t("Actual")),
    column(t("State")),
  ];
  return dataTable({ label: t("Targets"), headings, rows, most: 8 });
}

/** Lists agents with the tokens of a wake and a task, raw beside normalized. */
export function agentTable({ actions }: RenderContext, { report }: EconomyView): TemplateResult {
  const rows = report.agents.map(({ agent, project, figures }) => ({
    key: JSON.stringify([project, agent]),
    cells: [
      {
        content: () =>
          link(outside(agent, maxNameLength), () => actions.post({ type: "openAgent", project, agent })),
        sort: agent,
      },
      numberCell(figures.wakes),
      shareCell(figures.reuse),
      ...[figures.inputPerFresh, figures.inputPerReused, figures.inputPerTask].map(meanCell),
      shareCell(figures.cacheHits),
      ...[figures.normalizedInput, figures.rawInput].map(meanCell),
      costCell({
        usd: figures.usd,
        unpriced: figures.unpriced,
        unpricedWhy: unpricedWakes(figures.unpriced),
      }),
    ],
  }));
  const headings = [
    column(t("Agent")),
    numberColumn(t("Wakes")),
    numberColumn(t("Reused"), t("Wakes that went on with a session")),
    extra(numberColumn(t("New session"), t("Normalized input of a successful wake with a new session"))),
    numberColumn(t("Reused one"), t("Normalized input of a successful wake that went on with a session")),
    extra(numberColumn(t("Per task"), t("Normalized input of all wakes for each completed task"))),
    extra(numberColumn(t("Cache hits"), t("Share of input that was read from the cache"))),
    numberColumn(t("Normalized"), t("Normalized input of all wakes")),
    extra(numberColumn(t("Raw"), t("Input of all wakes as the programs printed it"))),
    numberColumn(t("Cost (USD)"), t("At list prices")),
  ];
  return dataTable({ label: t("Agents"), headings, rows, most: 12 });
}

/** Says what each agent is sent before it has done anything. */
export function promptTable({ report }: EconomyView): TemplateResult {
  const rows = report.agents.map(({ agent, project, figures, skills }) => ({
    key: JSON.stringify([project, agent]),
    cells: [
      textCell(agent),
      meanCell(figures.promptChars),
      meanCell(figures.instructionsChars),
      shareCell(figures.hasInstructions),
      meanCell(figures.skillBytes),
      textCell(skills, skills === "" ? t("None") : null),
    ],
  }));
  const headings = [
    column(t("Agent")),
    numberColumn(t("Prompt (characters)")),
    numberColumn(t("Constant part"), t("Characters that are the same at each wake")),
    numberColumn(t("Instruction files"), t("Share of wakes that an instruction file reached")),
    numberColumn(t("Skill list (bytes)")),
    extra(column(t("Skills"))),
  ];
  return dataTable({ label: t("Prompts"), headings, rows, most: 12 });
}

/** Compares an agent's wakes before and after each change of its file. */
export function versionTable(
  { now }: RenderContext,
  { agent, versions }: EconomyView["report"]["agents"][number],
): TemplateResult {
  const rows = versions.map(({ definition, since, figures }, index) => ({
    key: `${index}`,
    cells: [
      timeCell(since, now),
      textCell(definition?.slice(0, 8) ?? null),
      numberCell(figures.wakes),
      meanCell(figures.inputPerWake),
      changeCell(figures, versions[index + 1]?.figures),
      shareCell(successRate(figures)),
      meanCell(figures.promptChars),
    ],
  }));
  const headings = [
    column(t("Since")),
    extra(column(t("File"), t("The beginning of the file's hash"))),
    numberColumn(t("Wakes")),
    numberColumn(t("Input a wake"), t("Normalized input of a successful wake")),
    numberColumn(t("Vs. before")),
    numberColumn(t("Succeeded")),
    extra(numberColumn(t("Prompt (characters)"))),
  ];
  return dataTable({ label: t("Changes of {0}", agent), headings, rows, most: 6 });
}

/** Lists the newest wakes. */
export function wakeTable({ actions, now }: RenderContext, { wakes }: EconomyView): TemplateResult {
  const rows = wakes.map((wake) => {
    const { source, session, outcome } = describeWake(wake);
    const { id, at, agent, taskId, sessionId } = wake;
    return {
      key: id,
      cells: [
        {
          content: () =>
            sessionId === null
              ? timeCell(at, now).content()
              : link(
                  moment(at, now),
                  () => actions.post({ type: "openSession", id: sessionId }),
                  t("{0}, session of {1}", moment(at, now), agent),
                ),
          sort: at,
        },
        textCell(agent),
        textCell(taskId, t("None")),
        textCell(source),
        textCell(session),
        textCell(outcome),
        numberCell(wake.normalizedInput),
        numberCell(wake.rawInput),
      ],
    };
  });
  const headings = [
    column(t("Woken")),
    column(t("Agent")),
    extra(column(t("Task"))),
    extra(column(t("By"))),
    column(t("Session")),
    column(t("Outcome")),
    numberColumn(t("Normalized"), t("Normalized input")),
    extra(numberColumn(t("Raw"), t("Input as the program printed it"))),
  ];
  return dataTable({ label: t("Wakes"), headings, rows, most: 15 });
}

/** Says how sessions of people are used again. */
export function ordinaryTable({ ordinary }: EconomyView): TemplateResult {
  const rows = ordinary.map((each) => ({
    key: each.program ?? "",
    cells: [
      textCell(each.program === null ? null : agentNames.of(each.program)),
      numberCell(each.sessions),
      numberCell(each.returned),
      numberCell(each.returns),
      meanCell(each.inputPerSession),
      shareCell(each.cacheHits),
      meanCell(each.normalizedInput),
      numberCell(each.wholeInput),
    ],
  }));
  const headings = [
    column(t("Agent")),
    numberColumn(t("Sessions")),
    numberColumn(t("Came back to"), t("Sessions that somebody came back to after an hour or more")),
    extra(numberColumn(t("Times"))),
    numberColumn(t("Input a session"), t("Normalized")),
    numberColumn(t("Cache hits")),
    extra(numberColumn(t("Normalized"))),
    extra(numberColumn(t("As sent"), t("Input, cache writes and cache reads"))),
  ];
  return dataTable({ label: t("Your own sessions"), headings, rows, most: 8 });
}

function unpricedWakes(wakes: number): string {
  return plural(
    wakes,
    t("1 wake has no known price"),
    t("{0} wakes have no known price", wholeNumber(wakes)),
  );
}

/** A mean is shown without a fraction. */
function meanCell(value: number | null): Cell {
  return numberCell(value === null ? null : Math.round(value));
}

/** Null without wakes. */
function rateCell(rate: GuardrailRate | undefined): Cell | null {
  const text = rate === undefined ? null : rateWords(rate);
  return text === null ? null : { content: () => text, sort: rate?.rate?.value ?? null };
}

function shareCell(share: number | null): Cell {
  return share === null ? absentCell() : { content: () => percent(share * 100), sort: share };
}

/** The share of the guardrail below, so that both tables leave out the same wakes. */
function successRate({ guardrailRates }: EconomyFigures): number | null {
  return guardrailRates.find(({ name }) => name === "completion")?.rate?.value ?? null;
}

/** The change of a wake's input from the state of the file before. */
function changeCell(now: EconomyFigures, before: EconomyFigures | undefined): Cell {
  const [is, was] = [now.inputPerWake, before?.inputPerWake ?? null];
  if (before === undefined) return absentCell(t("The first"));
  if (is === null || was === null || was === 0) return absentCell();
  const change = is / was - 1;
  return { content: () => `${change < 0 ? "−" : "+"}${percent(Math.abs(change) * 100)}`, sort: change };
}
