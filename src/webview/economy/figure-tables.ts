import { html, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type {
  EconomyFigures,
  EconomyTarget,
  EconomyView,
  GuardrailRate,
} from "../../engine/recurring/answers.ts";
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
    { text: t("Target") },
    { text: t("At least"), isNumber: true },
    { text: t("Actual"), isNumber: true },
    { text: t("State") },
  ];
  return html`<purser-table
    label=${t("Targets")}
    .headings=${headings}
    .rows=${rows}
    most="8"
  ></purser-table>`;
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
    { text: t("Agent") },
    { text: t("Wakes"), isNumber: true },
    { text: t("Reused"), isNumber: true, title: t("Wakes that went on with a session") },
    {
      text: t("New session"),
      isNumber: true,
      isExtra: true,
      title: t("Normalized input of a successful wake with a new session"),
    },
    {
      text: t("Reused one"),
      isNumber: true,
      title: t("Normalized input of a successful wake that went on with a session"),
    },
    {
      text: t("Per task"),
      isNumber: true,
      isExtra: true,
      title: t("Normalized input of all wakes for each completed task"),
    },
    {
      text: t("Cache hits"),
      isNumber: true,
      isExtra: true,
      title: t("Share of input that was read from the cache"),
    },
    { text: t("Normalized"), isNumber: true, title: t("Normalized input of all wakes") },
    {
      text: t("Raw"),
      isNumber: true,
      isExtra: true,
      title: t("Input of all wakes as the programs printed it"),
    },
    { text: t("Cost (USD)"), isNumber: true, title: t("At list prices") },
  ];
  return html`<purser-table
    label=${t("Agents")}
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
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
    { text: t("Agent") },
    { text: t("Prompt (characters)"), isNumber: true },
    { text: t("Constant part"), isNumber: true, title: t("Characters that are the same at each wake") },
    {
      text: t("Instruction files"),
      isNumber: true,
      title: t("Share of wakes that an instruction file reached"),
    },
    { text: t("Skill list (bytes)"), isNumber: true },
    { text: t("Skills"), isExtra: true },
  ];
  return html`<purser-table
    label=${t("Prompts")}
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
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
    { text: t("Since") },
    { text: t("File"), title: t("The beginning of the file's hash"), isExtra: true },
    { text: t("Wakes"), isNumber: true },
    { text: t("Input a wake"), isNumber: true, title: t("Normalized input of a successful wake") },
    { text: t("Vs. before"), isNumber: true },
    { text: t("Succeeded"), isNumber: true },
    { text: t("Prompt (characters)"), isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label=${t("Changes of {0}", agent)}
    .headings=${headings}
    .rows=${rows}
    most="6"
  ></purser-table>`;
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
    { text: t("Woken") },
    { text: t("Agent") },
    { text: t("Task"), isExtra: true },
    { text: t("By"), isExtra: true },
    { text: t("Session") },
    { text: t("Outcome") },
    { text: t("Normalized"), isNumber: true, title: t("Normalized input") },
    { text: t("Raw"), isNumber: true, isExtra: true, title: t("Input as the program printed it") },
  ];
  return html`<purser-table
    label=${t("Wakes")}
    .headings=${headings}
    .rows=${rows}
    most="15"
  ></purser-table>`;
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
    { text: t("Agent") },
    { text: t("Sessions"), isNumber: true },
    {
      text: t("Came back to"),
      isNumber: true,
      title: t("Sessions that somebody came back to after an hour or more"),
    },
    { text: t("Times"), isNumber: true, isExtra: true },
    { text: t("Input a session"), isNumber: true, title: t("Normalized") },
    { text: t("Cache hits"), isNumber: true },
    { text: t("Normalized"), isNumber: true, isExtra: true },
    { text: t("As sent"), isNumber: true, isExtra: true, title: t("Input, cache writes and cache reads") },
  ];
  return html`<purser-table
    label=${t("Your own sessions")}
    .headings=${headings}
    .rows=${rows}
    most="8"
  ></purser-table>`;
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
