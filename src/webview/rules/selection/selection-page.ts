import { html, nothing, type TemplateResult } from "lit";
import { dollars, wholeNumber } from "../../../engine/base/local-format.ts";
import { inWords, t, plural } from "../../../engine/base/language.ts";
import {
  isUnderWay,
  isResumable,
  type RuleProgress,
  type SetProgress,
} from "../../../engine/jobs/compare-answers.ts";
import type { JobSummary } from "../../../engine/jobs/bench-answers.ts";
import { describeIdle } from "../../../engine/verdict/verdict-answers.ts";
import { replayNotice, stateNames, stateReason } from "../../experiments/describe-jobs.ts";
import { numberCell, textCell, numberColumn, extra } from "../../components/table/table-cells.ts";
import { differencePlot, type PlotRow } from "../../components/charts/difference-plot.ts";
import { icon } from "../../components/icon.ts";
import { outside } from "../../components/outside.ts";
import "../../components/section.ts";
import { notice } from "../../components/states.ts";
import { dataTable } from "../../components/table/table.ts";
import { moment } from "../../components/times.ts";
import { runCount, runsOfAtMost, verdictReason } from "../../components/sentences.ts";
import type { RenderContext } from "../page-model.ts";
import { jobOf, measurable, describeInterim, selectionAgents } from "./selection.ts";
import { trialAgents } from "../trial/describe-trial.ts";
import { otherAgents } from "../page-head.ts";
import { selectionForm } from "./selection-form.ts";
import { describeMeasurable, measuredIs, notes } from "../describe-rules.ts";
import { maybeGradeLine } from "../grade.ts";
import { statusNames } from "../names.ts";
import { decided } from "../whole-set.ts";

/** Shows the measuring of an agent's rules: the price, the progress, and the results. */
export function selectionPage(context: RenderContext, agent: string): TemplateResult {
  const { approved, active } = measurable(context.model, agent);
  const job = jobOf(context.model, agent);
  return html`<article aria-labelledby="agent">
    <header class="top">
      <p class="quiet">${t("Measure rules")}</p>
      <h1 id="agent" tabindex="-1">${outside(agent, 80)}</h1>
      <p>${describeMeasurable(approved.length, active.length)}</p>
      ${otherAgents(context, { kind: "selection", agent }, selectionAgents(context.model))}
      ${
        trialAgents(context.model).includes(agent)
          ? html`<p>
              <button class="link" @click=${() => context.actions.look({ kind: "trial", agent })}>
                ${t("Try Them on Real Work…")}
              </button>
            </p>`
          : nothing
      }
    </header>
    ${job === null ? nothing : jobSection(context, job)}
    ${job !== null && isUnderWay(job.state) ? nothing : selectionForm(context, agent)}
  </article>`;
}

function jobSection(context: RenderContext, job: JobSummary): TemplateResult {
  const { model, actions, now } = context;
  const { id, state, live, done, of, spent, ask, recordedBy, selection } = job;
  const isLive = isUnderWay(state);
  const reason = stateReason(state);
  const name = stateNames[state.kind];
  const rules = selection?.rules ?? [];
  const idle = describeIdle(rules.flatMap(({ result }) => result?.expected ?? []));
  const [run] = live;
  const figures = [
    of > 0 ? runsOfAtMost(done, of) : runCount(done),
    ask.driver === "replay" ? t("free") : t("{0} new tokens", wholeNumber(spent.tokens)),
    ...(ask.driver === "replay" || spent.usd === null ? [] : [dollars(spent.usd)]),
  ];
  return html`<purser-section
    heading=${isLive ? t("Measuring") : t("What Was Measured Last")}
    note=${notes.looks}
  >
    <div slot="actions">
      ${
        isLive
          ? html`<button
              class="button"
              ?disabled=${state.kind === "cancelling"}
              @click=${() => actions.post({ type: "cancel", id })}
            >
              ${icon("stop")}${t("Cancel")}
            </button>`
          : isResumable(state)
            ? html`<button
                class="button"
                ?disabled=${model.isBusy}
                @click=${() => actions.post({ type: "resume", id })}
              >
                ${icon("play")}${t("Resume")}
              </button>`
            : nothing
      }
    </div>
    <p class="state-line">
      <span class="with-icon ${isLive ? "strong" : ""}">${icon(name.icon)}${name.word}</span>
      <span class="quiet number"
        >${figures.join(" · ")}${job.endedAt === null ? nothing : html` · ${moment(job.endedAt, now)}`}</span
      >
    </p>
    ${reason === null ? nothing : html`<p>${outside(reason, 400)}</p>`}
    ${
      isLive && run !== undefined
        ? html`<p class="quiet">
            ${outside(run.taskId, 60)}, ${sideWords(selection?.isTogether === true, run.side)}:
            ${t("turn {0}", wholeNumber(run.turns))}${run.tool === null ? nothing : html`, ${outside(run.tool, 40)}`}
          </p>`
        : nothing
    }
    ${
      ask.driver === "replay" && recordedBy.length > 0
        ? notice(`${replayNotice(ask.driver, recordedBy) ?? ""} ${t("It decides about no rule.")}`)
        : nothing
    }
    ${selection?.isTogether === true ? togetherPlot(rules, selection.set) : nothing}
    <ol class="measured">
      ${rules.map((rule) => ruleProgress(context, rule, { isLive, hasRounds: selection?.isTogether !== true }))}
      ${selection?.set === undefined || ask.kind !== "select" ? nothing : setItem(context, selection.set, ask.agent)}
    </ol>
    ${idle === null ? nothing : html`<p>${inWords(idle)}</p>`}
  </purser-section>`;
}

/** Rules that share their runs: one row per rule, with an interval that narrows with each round. */
function togetherPlot(rules: readonly RuleProgress[], set: SetProgress | undefined): TemplateResult {
  const rows = rules.map(({ title, looks, result, state }) => {
    const saved = result === null ? (looks.at(-1)?.saving ?? null) : result.saving;
    const why =
      looks.length === 0 && state !== "settled"
        ? t("the first round goes on")
        : t("nothing can be compared yet");
    const flag = state === "settled" ? t("settled") : null;
    return { name: title, saved, why, flag, isWhole: false };
  });
  return html`<p class="quiet">${notes.together}</p>
    ${differencePlot(t("Tokens a run with each rule, against without it"), [
      ...rows,
      ...(set === undefined ? [] : [setRow(set)]),
    ])}`;
}

/** @param hasRounds whether the rule's rounds are listed; the plot shows those of rules that share their runs */
function ruleProgress(
  { actions }: RenderContext,
  rule: RuleProgress,
  { isLive, hasRounds }: { readonly isLive: boolean; readonly hasRounds: boolean },
): TemplateResult {
  const { ruleId, title, isAudit, state, looks, result, status } = rule;
  const last = looks.at(-1);
  return html`<li>
    <p class="with-icon">
      ${icon(measuredIs(rule, isLive))}
      <button class="link" @click=${() => actions.look({ kind: "rule", id: ruleId })}>
        ${outside(title, 160)}
      </button>
    </p>
    ${maybeGradeLine(result?.expected)}
    <p class="quiet">
      ${
        state === "waiting"
          ? isAudit
            ? t("Active, to be measured again: waits for its turn.")
            : t("Waits for its turn.")
          : result === null
            ? last === undefined
              ? t("Round 1 is running…")
              : describeInterim(last)
            : html`${verdictWord(result.driver, status)}${outside(verdictReason(result), 400)}
                <button
                  class="link"
                  @click=${() => actions.post({ type: "openReceipt", id: result.receipt.id })}
                >
                  ${t("Receipt")}
                </button>`
      }
    </p>
    ${!hasRounds || result !== null || looks.length === 0 ? nothing : verdictTable(rule)}
  </li>`;
}

function sideWords(isTogether: boolean, side: number): string {
  if (isTogether) return t("with half of the rules");
  return side === 1 ? t("with the rule") : t("without it");
}

/** The verdict's name. A replay has none: it decides nothing. */
function verdictWord(driver: string, status: RuleProgress["status"]): string {
  if (driver === "replay") return `${t("Demo.")} `;
  return status === null ? "" : `${statusNames[status]}. `;
}

function verdictTable({ title, looks }: RuleProgress): TemplateResult {
  const rows = looks.map(({ round, saving, tokens, moreRuns, decision }) => ({
    key: String(round),
    cells: [
      numberCell(round),
      numberCell(saving === null ? null : Math.round(saving.value)),
      numberCell(saving === null ? null : Math.round(saving.low)),
      numberCell(saving === null ? null : Math.round(saving.high)),
      numberCell(tokens),
      moreRuns === null ? textCell(decision === "undecided" ? null : t("decided")) : numberCell(moreRuns),
    ],
  }));
  const headings = [
    numberColumn(t("Round")),
    numberColumn(t("Tokens saved")),
    numberColumn(t("From")),
    numberColumn(t("To")),
    extra(numberColumn(t("Tokens measured"))),
    numberColumn(t("More runs to decide")),
  ];
  return dataTable({ label: t("Rounds of {0}", title), headings, rows, most: 12 });
}

const heading = t("All as a whole, against no rules at all.");

/** The set's row below those of its rules. */
function setRow({ looks, result, state }: SetProgress): PlotRow {
  const saved = result === null ? (looks.at(-1)?.saving ?? null) : result.saving;
  const why = state === "unpaid" ? t("not measured") : t("the first round goes on");
  return { name: heading, saved, why, flag: state === "settled" ? t("settled") : null, isWhole: true };
}

/** The set among the rules of a selection: measured once two or more of them are found. */
function setItem({ actions }: RenderContext, set: SetProgress, agent: string): TemplateResult {
  const { found, state, looks, result, decision } = set;
  const last = looks.at(-1);
  const isSettled = result !== null && decision !== null;
  return html`<li>
    <p class="with-icon">
      ${icon(isSettled ? (decision === "confirmed" ? "check" : "none") : state === "unpaid" ? "watch" : "sync")}
      <span>${heading}</span>
    </p>
    <p class="quiet">
      ${
        isSettled
          ? html`${capital(decided[decision])} ${outside(verdictReason(result), 400)}
              <button
                class="link"
                @click=${() => actions.post({ type: "openReceipt", id: result.receipt.id })}
              >
                ${t("Receipt")}
              </button>`
          : state === "unpaid"
            ? html`${plural(
                  found.length,
                  t("1 rule was found, and too little could be spent to measure them as a whole."),
                  t(
                    "{0} rules were found, and too little could be spent to measure them as a whole.",
                    found.length,
                  ),
                )}
                <button class="link" @click=${() => actions.confirmTogether(agent)}>
                  ${t("Confirm Together…")}
                </button>`
            : last === undefined
              ? t("Round 1 is running…")
              : describeInterim(last)
      }
    </p>
  </li>`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
