import { inWords, plural, t } from "../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import type { BenchChoices, JobSummary } from "../../engine/jobs/bench-answers.ts";
import {
  absentCell,
  costCell,
  link,
  numberCell,
  textCell,
  timeCell,
  column,
  extra,
  numberColumn,
} from "../components/table/table-cells.ts";
import { isSample } from "../components/panel-links.ts";
import { icon } from "../components/icon.ts";
import "../components/section.ts";
import { skeleton, stateView } from "../components/states.ts";
import { dataTable } from "../components/table/table.ts";
import type { RenderContext } from "./bench-model.ts";
import { outside, outsidePath, said } from "../components/outside.ts";
import { planForm } from "./plan-form.ts";
import { againstRun1, driverName, isOwnBaseline, jobTitle, notes, stateNames } from "./describe-bench.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";

/** Shows the form for a new benchmark, drafts of golden tasks, and all benches. */
export function homePage(context: RenderContext): TemplateResult {
  const { choices, jobs, kept } = context.model;
  if (choices === null && jobs === null) return skeleton();
  return html`<header class="title">
      <div>
        <h1 tabindex="-1">${t("Benchmark")}</h1>
        <p class="quiet">
          ${t("How many tokens an agent needs for a fixed set of tasks: the same project, the same tasks, and an automatic check that says pass or fail.")}
        </p>
      </div>
    </header>
    ${choices === null ? nothing : kept.ask === null ? nothingToMeasure(context) : planForm(context, choices, kept.ask)}
    ${choices === null || choices.choices.drafts.length === 0 ? nothing : draftList(choices.choices.drafts)}
    <purser-section heading=${t("Past benchmarks")} note="">
      ${
        jobs === null || jobs.length === 0
          ? html`<p class="quiet">
              ${t("None yet. Each benchmark stays here with its runs, and its figures become the history of its agent.")}
            </p>`
          : jobTable(context, jobs)
      }
    </purser-section>`;
}

/** Lists unfinished golden tasks. They belong to no suite, and no run uses them. */
function draftList(drafts: BenchChoices["drafts"]): TemplateResult {
  return html`<purser-section
    heading=${plural(drafts.length, t("1 Draft"), t("{0} Drafts", wholeNumber(drafts.length)))}
    note=${notes.drafts}
  >
    ${drafts.map(
      ({ title, agent, file, remaining }) =>
        html`<details>
          <summary>
            ${outside(title, 90)} <span class="quiet">· ${outside(agent, 40)} · ${t("what remains")}</span>
          </summary>
          <p class="quiet">${outsidePath(file, file, 90)}</p>
          <ol>
            ${remaining.map((each) => html`<li>${said(each, 200)}</li>`)}
          </ol>
        </details>`,
    )}
  </purser-section>`;
}

function nothingToMeasure({ model, actions }: RenderContext): TemplateResult {
  if (isSample)
    return html`<p class="quiet">
      ${t("Nothing runs in the sample. Close it to measure your own agents.")}
    </p>`;
  const problem = model.choices?.choices.suites.find((suite) => suite.problem !== null)?.problem ?? null;
  return stateView({
    icon: problem === null ? "beaker" : "error",
    heading: problem === null ? t("There is no golden suite") : t("The golden suite cannot be used"),
    text: problem === null ? t("No agent has golden tasks here.") : inWords(problem),
    actions: [
      { label: t("Try Again"), run: () => actions.retry() },
      { label: t("Show Log"), run: () => actions.showLog() },
    ],
  });
}

function jobTable({ actions, now }: RenderContext, jobs: readonly JobSummary[]): TemplateResult {
  const rows = jobs.map((job) => {
    const { id, ask, state, at, startedAt, done, of, spent, figures } = job;
    const { word, icon: drawing } = stateNames[state.kind];
    const [only] = figures.length === 1 ? figures : [];
    const open = () => actions.look({ kind: "bench", id });
    const found = only === undefined ? null : isOwnBaseline(only) ? t("Baseline") : againstRun1(only);
    return {
      key: id,
      cells: [
        { content: () => link(jobTitle(job), open), sort: jobTitle(job) },
        { content: () => html`<span class="with-icon">${icon(drawing)}${word}</span>`, sort: word },
        textCell(ask.driver === "replay" ? t("Replay") : driverName(ask.driver)),
        { content: () => (of === 0 ? `${done}` : t("{0} of {1}", done, of)), sort: done },
        numberCell(only?.tokens ?? null),
        found === null ? absentCell(t("Nothing to compare with")) : textCell(found),
        costCell({ usd: spent.usd, unpriced: 0 }, spent.tokens > 0),
        timeCell(startedAt ?? at, now),
      ],
    };
  });
  const headings = [
    column(t("Benchmark")),
    column(t("State")),
    extra(column(t("Run with"))),
    numberColumn(t("Runs")),
    numberColumn(t("Tokens a run"), t("New tokens of a completed run; tasks count by their weight")),
    extra(column(t("Result"))),
    extra(numberColumn(t("Spent (USD)"), t("At list prices"))),
    extra(numberColumn(t("Began"))),
  ];
  return dataTable({ id: "benches", label: t("Past benchmarks"), headings, rows, most: 12 });
}
