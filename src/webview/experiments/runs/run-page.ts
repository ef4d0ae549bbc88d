import { plainSentence, inWords, t } from "../../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import type { JobView, RunPage } from "../../../engine/jobs/bench-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsideText, said, saidText } from "../../components/outside.ts";
import "../../components/section.ts";
import { notice, skeleton, stateView, factList, backButton } from "../../components/states.ts";
import { duration, moment } from "../../components/times.ts";
import { filled } from "../../components/sentences.ts";
import { type RenderContext, pageKey } from "../experiments-model.ts";
import type { Place } from "../experiments-protocol.ts";
import { longestTurn, timeline } from "./timeline.ts";
import { difference, driverName, notes, outcomes, replayNotice } from "../describe-jobs.ts";

type RunPlace = Extract<Place, { kind: "run" }>;
const maxOutputLength = 20_000; // characters of a check's output

/** Shows a run, turn by turn, with another run beside it. */
export function runPageOf(context: RenderContext, place: RunPlace): TemplateResult {
  const { pages, shown: job } = context.model;
  const page = pages.get(pageKey(place.id, place.runId));
  if (page === undefined) return html`${header(context, place, null)}${skeleton()}`;
  if (page === null) return html`${header(context, place, null)}${unknownRun(context)}`;
  const { beside } = place;
  const view = job?.view ?? null;
  const other = beside === null ? undefined : pages.get(pageKey(beside.id, beside.runId));
  const shown = [page, ...(other === undefined || other === null ? [] : [other])];
  // Two runs of one round are named after their sides.
  const isOtherSide = new Set(shown.map(({ label: side }) => side.text)).size > 1;
  const largest = Math.max(1, ...shown.map(longestTurn));
  const { driver, recordedBy } = page.run;
  const label = replayNotice(driver, recordedBy === null ? [] : [recordedBy]);
  return html`<div class="top">
      ${header(context, place, page)} ${label === null ? nothing : notice(label)}
      ${view === null ? nothing : besideSelect(context, place, { page, view })}
    </div>
    <div class="sides ${shown.length > 1 ? "two" : ""}">
      ${shown.map((one) => {
        const other = shown.find((each) => each !== one) ?? null;
        return oneRun(context, one, { largest, other, isOtherSide, bench: place.id });
      })}
    </div>`;
}

function header({ actions, model }: RenderContext, { id }: RunPlace, page: RunPage | null): TemplateResult {
  const isCompared = model.shown?.view?.ask.kind === "compare" && model.shown.id === id;
  const name = isCompared ? t("Comparison") : t("Benchmark");
  return html`<header class="title">
    <div>
      ${backButton(name, isCompared ? t("Back to the comparison (Escape)") : t("Back to the benchmark (Escape)"), () => actions.back())}
      <h1 tabindex="-1">
        ${page === null ? t("What a run did") : html`${outside(page.taskTitle, 90)} · ${t("run {0}", page.run.round)}`}
      </h1>
    </div>
  </header>`;
}

function unknownRun({ actions }: RenderContext): TemplateResult {
  return stateView({
    icon: "none",
    heading: t("There is no such run any more"),
    text: t("It may have been made again, or its benchmark was removed."),
    actions: [{ label: t("Back"), run: () => actions.back() }],
  });
}

/** Chooses another run of the task to show beside the first. */
function besideSelect(
  { actions }: RenderContext,
  place: RunPlace,
  { page, view }: { page: RunPage; view: JobView },
): TemplateResult | typeof nothing {
  const others = view.runs.filter(({ taskId, id }) => taskId === page.run.taskId && id !== page.run.id);
  if (others.length === 0) return nothing;
  const nameOf = (run: (typeof others)[number]) => {
    const side =
      view.sides.length > 1 ? [saidText(view.sides[run.side]?.label ?? plainSentence(""), 30)] : [];
    const tokens = t("{0} tokens", wholeNumber(run.processingTokens));
    return [...side, t("Run {0}", run.round), outcomes[run.outcome].word, tokens].join(" · ");
  };
  return html`<label class="beside"
    >${t("Beside it")}
    <select
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLSelectElement)) return;
        const run = others[currentTarget.selectedIndex - 1];
        const beside = run === undefined ? null : { id: place.id, runId: run.id };
        actions.look({ ...place, beside });
      }}
    >
      <option .selected=${place.beside === null}>${t("Nothing")}</option>
      ${others.map(
        (run) => html`<option .selected=${run.id === place.beside?.runId}>${nameOf(run)}</option>`,
      )}
    </select></label
  >`;
}

interface Beside {
  /** Tokens of the most expensive turn of both runs. */
  readonly largest: number;
  readonly other: RunPage | null;
  readonly isOtherSide: boolean;
  readonly bench: string;
}

interface Leftovers {
  readonly heading: string;
  /** The name of the run beside it. */
  readonly other: string | null;
  readonly openChange: (path: string, isBeside: boolean) => void;
}

function oneRun(
  { now, actions }: RenderContext,
  page: RunPage,
  { largest, other, isOtherSide, bench }: Beside,
): TemplateResult {
  const { run, trajectory, run1, label } = page;
  const isNamed = other !== null;
  const { word, icon: drawing } = outcomes[run.outcome];
  const against =
    run.outcome === "passed" && run1 !== null && run1 > 0
      ? ` · ${t("{0} vs. baseline", difference(run.processingTokens / run1))}`
      : "";
  const rows: [string, unknown][] = [
    [t("Outcome"), html`<span class="with-icon ${run.outcome}">${icon(drawing)}${word}</span>`],
    ...(run.detail === null ? [] : [[t("Why"), said(run.detail, 400)] satisfies [string, unknown]]),
    [t("Turns"), wholeNumber(run.turns)],
    [t("Tool calls"), wholeNumber(run.toolCalls)],
    [t("Files read again"), wholeNumber(run.filesReread)],
    [
      run.driver === "replay" ? t("Replayed in") : t("Duration"),
      t("{0}, and {1} for its check", duration(run.durationMs), duration(run.checkMs)),
    ],
    [t("With"), html`${driverName(run.driver)} · ${outside(run.model, 60)} · ${said(label, 40)}`],
    [t("When"), moment(run.startedAt, now)],
  ];
  const name = nameOf(page, isOtherSide);
  const openChange = (path: string, isBeside: boolean) =>
    actions.openChange({
      id: bench,
      runId: run.id,
      path,
      name,
      other:
        isBeside && other !== null
          ? { id: bench, runId: other.run.id, name: nameOf(other, isOtherSide) }
          : null,
    });
  return html`<article aria-label=${name}>
    ${isNamed ? html`<h2>${name}</h2>` : nothing}
    <div class="totals">
      <p class="one">
        ${filled(t("{0} new tokens"), html`<span class="number">${wholeNumber(run.processingTokens)}</span>`)}${against}
      </p>
      ${factList(rows, "number")}
    </div>
    <purser-section
      heading=${isNamed ? t("Timeline of {0}", inSentence(page, isOtherSide)) : t("Timeline")}
      note=${notes.timeline}
    >
      ${
        trajectory === null
          ? html`<p class="quiet">${t("Nothing was kept of what it did.")}</p>`
          : timeline(trajectory.turns, { largest, name })
      }
    </purser-section>
    ${
      trajectory === null
        ? nothing
        : leftovers(trajectory, {
            heading: isNamed ? t("Files changed of {0}", inSentence(page, isOtherSide)) : t("Files changed"),
            other: other === null ? null : inSentence(other, isOtherSide),
            openChange,
          })
    }
  </article>`;
}

/** `Run 2, shorter prompt`. */
function nameOf({ run, label }: RunPage, isOtherSide: boolean): string {
  return isOtherSide
    ? t("Run {0}, {1}", run.round, outsideText(inWords(label), 40))
    : t("Run {0}", run.round);
}

/** `run 2, shorter prompt`. Headings of two runs must differ on the page. */
function inSentence({ run, label }: RunPage, isOtherSide: boolean): string {
  return isOtherSide
    ? t("run {0}, {1}", run.round, outsideText(inWords(label), 40))
    : t("run {0}", run.round);
}

/** Lists the files that a run changed, and shows the output of the check. */
function leftovers(
  { changes, checkOutput }: NonNullable<RunPage["trajectory"]>,
  { heading, other, openChange }: Leftovers,
): TemplateResult {
  return html`${
    changes.length === 0
      ? nothing
      : html`<purser-section heading=${heading} note="">
          <ul class="paths">
            ${changes.map(
              ({ path, isRemoved }) =>
                html`<li>
                  <button
                    class="link"
                    title=${t("Show what it did to the file")}
                    @click=${() => openChange(path, false)}
                  >
                    ${outside(path, 90)}</button
                  >${isRemoved ? html` <span class="quiet">${t("removed")}</span>` : nothing}
                  ${
                    other === null
                      ? nothing
                      : html`<button class="link" @click=${() => openChange(path, true)}>
                          ${filled(t("Compare{0} with {1}"), html`<span class="hidden-text"> ${outside(path, 90)}</span>`, other)}
                        </button>`
                  }
                </li>`,
            )}
          </ul>
        </purser-section>`
  }
  ${
    checkOutput === null || checkOutput.trim() === ""
      ? nothing
      : html`<details>
          <summary>${t("What the check printed")}</summary>
          <pre tabindex="0">${printed(checkOutput)}</pre>
        </details>`
  }`;
}

/** Cleans the text line by line. */
function printed(text: string): string {
  return text
    .slice(-maxOutputLength)
    .split("\n")
    .map((line) => outsideText(line, 400))
    .join("\n");
}
