import { html, nothing, type TemplateResult } from "lit";
import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { RuleView } from "../../engine/rules/rules-answers.ts";
import { replayNotice } from "../experiments/describe-jobs.ts";
import { textCell, numberCell, column, numberColumn, extra } from "../components/table/table-cells.ts";
import { outside, outsidePath, said } from "../components/outside.ts";
import "../components/section.ts";
import { tableToggle, dataTable } from "../components/table/table.ts";
import { moment } from "../components/times.ts";
import { banner, notice } from "../components/states.ts";
import { runCount, filled, spaced } from "../components/sentences.ts";
import { figures, type RenderContext } from "./page-model.ts";
import { evidencePlot } from "./evidence-plot.ts";
import { unreached, whatLettingInWrites } from "./memory-page.ts";
import { measurable, measuringOf } from "./selection/selection.ts";
import { wholeSet } from "./whole-set.ts";
import { describeCost, notes, originNames, describeSaving } from "./describe-rules.ts";
import { canApprove, undoesMany } from "./decision.ts";
import { gradeFacts, maybeGradeLine } from "./grade.ts";
import { describeStep } from "./history.ts";
import { approveLabel, rejectLabel, statusNames, verdictName } from "./names.ts";

/** Shows one rule: its sentence, its rent and saving, its origin, and its evidence. */
export function rulePage(context: RenderContext, rule: RuleView): TemplateResult {
  const saving = describeSaving(rule);
  return html`<article aria-labelledby="sentence">
    <header class="top">
      <p class="quiet">
        ${outside(rule.agent, 60)} ·
        ${statusNames[rule.status]}${rule.isProtected ? ` · ${t("protected")}` : nothing}
      </p>
      <h1 id="sentence" tabindex="-1">
        ${
          rule.scope === null
            ? outside(rule.sentence, 400)
            : spaced(
                html`<span class="scope">${outside(`when ${rule.scope}`, 120)}</span>`,
                outside(rule.sentence, 400),
              )
        }
      </h1>
      ${maybeGradeLine(rule.expected)} ${buttons(context, rule)} ${writing(context, rule)}
    </header>
    ${wholeSet(context, rule)} ${whatLettingInWrites(context, rule)} ${unreached(context, rule.agent)}
    ${rule.status === "active" && rule.auditedAt === null ? notMeasured(context, rule) : nothing}
    <purser-section heading=${t("Cost and Saving")} note=${notes.rent}>
      <dl class="facts">
        <dt>${t("Cost per session")}</dt>
        <dd class="number">
          ${t("~{0} tokens", wholeNumber(rule.rent.cost))}
          <span class="quiet">(${describeCost(rule.rent)})</span>
        </dd>
        <dt>${saving.name}</dt>
        <dd class="number">${saving.figure}</dd>
        ${rule.expected === undefined ? nothing : gradeFacts(rule.expected)}
        <dt>${t("Measured")}</dt>
        <dd>${rule.auditedAt === null ? t("never") : moment(rule.auditedAt, context.now)}</dd>
        ${rule.status === "active" ? audits(context, rule) : nothing} ${memoryFact(context, rule)}
      </dl>
    </purser-section>
    ${origin(context, rule)} ${evidence(context, rule)} ${similar(context, rule)} ${history(context, rule)}
  </article>`;
}

/** Leads to the file that a rule in memory is in, or that a proven one would go into. */
function memoryFact({ model, actions }: RenderContext, { agent, status }: RuleView) {
  const memory = model.view?.memories.find((each) => each.agent === agent);
  if (memory === undefined || (status !== "active" && status !== "measured")) return nothing;
  return html`<dt>${t("Memory")}</dt>
    <dd>
      <button class="link" @click=${() => actions.look({ kind: "memory", agent })}>
        ${outsidePath(memory.file, memory.file, 60)}
      </button>
    </dd>`;
}

/** Warns about a rule let in only by a demo, from the time when purser still counted one as a verdict. */
function notMeasured({ actions }: RenderContext, { agent }: RuleView): TemplateResult {
  const measure = {
    label: t("Measure It…"),
    run: () => actions.look({ kind: "selection", agent }),
  };
  return banner(
    t(
      "This rule is in its agent's memory, and was never measured with a model. Measure it, or remove it from memory.",
    ),
    measure,
  );
}

/** Shows since when a rule is active, and when it will be measured again: the least recently measured comes first. */
function audits({ model, now }: RenderContext, rule: RuleView): TemplateResult {
  const { active } = measurable(model, rule.agent);
  const place = active
    .toSorted((one, other) => (one.auditedAt ?? 0) - (other.auditedAt ?? 0) || (one.id < other.id ? -1 : 1))
    .findIndex(({ id }) => id === rule.id);
  const next = t(
    "the next time active rules are re-measured, number {0} of {1}",
    wholeNumber(place + 1),
    wholeNumber(active.length),
  );
  return html`<dt>${t("Active since")}</dt>
    <dd>${rule.decidedAt === null ? t("unknown") : moment(rule.decidedAt, now)}</dd>
    <dt>${t("Next audit")}</dt>
    <dd>${next}</dd>`;
}

function buttons({ actions, model }: RenderContext, rule: RuleView): TemplateResult {
  const approve = canApprove(model, rule) ? approveLabel(rule) : null;
  const { isBusy } = model;
  // While rules are selected, these keys decide about them; the bar shows them there.
  const isElsewhere = (key: string | null) =>
    key === null || (model.marked.size > 0 && (key === "a" || key === "r"));
  const isUndoElsewhere = undoesMany(model, rule);
  const button = (label: string, key: string | null, run: () => void, isFirst = false) =>
    html`<button
      class="button ${isFirst ? "primary" : ""}"
      aria-keyshortcuts=${isElsewhere(key) ? nothing : key}
      ?disabled=${isBusy}
      @click=${run}
    >
      ${label} ${isElsewhere(key) ? nothing : html`<kbd aria-hidden="true">${key}</kbd>`}
    </button>`;
  return html`<div class="buttons">
    ${approve === null ? nothing : button(approve, "a", () => actions.act(rule, { kind: "approve" }), true)}
    ${rule.status === "evicted" ? nothing : button(rejectLabel(rule), "r", () => actions.write(rule, "reject"))}
    ${rule.status === "candidate" ? button(t("Edit…"), "e", () => actions.write(rule, "edit")) : nothing}
    ${button(rule.isProtected ? t("Do Not Protect") : t("Protect"), "p", () =>
      actions.act(rule, { kind: "protect", isProtected: !rule.isProtected }),
    )}
    ${rule.canUndo ? button(t("Undo"), isUndoElsewhere ? null : "u", () => actions.act(rule, { kind: "undo" })) : nothing}
    ${
      rule.status === "approved"
        ? html`<button
            class="button primary"
            @click=${() => actions.look({ kind: "selection", agent: rule.agent })}
          >
            ${measuringOf(model, rule) === null ? t("Measure It…") : t("Watch It Being Measured")}
          </button>`
        : nothing
    }
  </div>`;
}

/** Shows an input for a reason to reject, or for another sentence. Enter submits it, Escape closes it. */
function writing({ model, actions }: RenderContext, rule: RuleView): TemplateResult | typeof nothing {
  const { writing: written } = model;
  if (written?.id !== rule.id) return nothing;
  const isEdit = written.kind === "edit";
  const send = (event: Event) => {
    event.preventDefault();
    actions.act(rule, isEdit ? { kind: "edit", text: written.text } : { kind: "reject", why: written.text });
  };
  return html`<form class="writing" @submit=${send}>
    <label for="text"
      >${isEdit ? t("Another sentence, of 10 to 200 characters") : t("Reason (optional), so that it is not proposed again")}</label
    >
    <input
      id="text"
      type="text"
      maxlength=${isEdit ? 300 : 400}
      .value=${written.text}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) actions.rewrite(event.target.value);
      }}
    />
    <button class="button primary" type="submit">
      ${isEdit ? t("Propose It") : rejectLabel(rule).replace("…", "")}
    </button>
    <button class="button" type="button" @click=${() => actions.write(rule, null)}>${t("Cancel")}</button>
  </form>`;
}

function origin({ actions }: RenderContext, rule: RuleView): TemplateResult {
  const { source } = rule;
  const open = (line: number) => () => actions.post({ type: "openSource", id: rule.id, line });
  return html`<purser-section heading=${t("Where It Came From")} note="">
    <p>${originNames[rule.origin]}</p>
    ${
      source?.kind === "file"
        ? html`<p>
            <button class="link" @click=${open(source.line)}>
              ${filled(t("{0}, line {1}"), outsidePath(source.path, source.path, 60), source.line)}
            </button>
          </p>`
        : nothing
    }
    ${
      source?.kind === "run"
        ? html`<p>${said(source.finding, 300)}</p>
            <ul class="turns">
              ${source.turns.map(
                ({ line, what }) =>
                  html`<li>
                    <button
                      class="link"
                      title=${t("Open the transcript at line {0}", line)}
                      @click=${open(line)}
                    >
                      ${t("Line {0}", wholeNumber(line))}
                    </button>
                    ${outside(what, 100)}
                  </li>`,
              )}
            </ul>`
        : nothing
    }
  </purser-section>`;
}

function evidence(context: RenderContext, rule: RuleView): TemplateResult | typeof nothing {
  const { model, actions, tables } = context;
  const isTable = tables.has(figures);
  if (rule.receipts.length === 0) return nothing;
  const shown = model.evidence?.id === rule.id ? model.evidence.evidence : null;
  const receipts = html`<ul class="turns">
    ${rule.receipts.map(
      ({ id, at, verdict, isDemo }) =>
        html`<li>
          <button class="link" @click=${() => actions.post({ type: "openReceipt", id })}>
            ${isDemo ? t("Demo") : t("Receipt")}
          </button>
          ${isDemo ? t("replayed, no verdict") : verdictName(verdict)} · ${moment(at, context.now)}
        </li>`,
    )}
  </ul>`;
  if (shown === null)
    return html`<purser-section heading=${t("Evidence")} note=${notes.evidence}>${receipts}</purser-section>`;
  const rows = shown.tasks.map((task) => ({
    key: task.taskId,
    cells: [
      textCell(task.taskId),
      numberCell(task.pairs),
      numberCell(task.tokens === null ? null : Math.round(task.tokens[0])),
      numberCell(task.tokens === null ? null : Math.round(task.tokens[1])),
      textCell(t("{0} of {1}", task.passed[0], task.runs[0])),
      textCell(t("{0} of {1}", task.passed[1], task.runs[1])),
    ],
  }));
  const headings = [
    column(t("Task")),
    numberColumn(t("Pairs")),
    numberColumn(t("Tokens without")),
    numberColumn(t("Tokens with")),
    extra(column(t("Passed without"))),
    column(t("Passed with")),
  ];
  return html`<purser-section heading=${t("Evidence")} note=${notes.evidence}>
    <div slot="actions">${tableToggle(isTable, t("Evidence"), () => actions.toggleTable(figures))}</div>
    ${
      shown.driver === "replay"
        ? notice(
            `${replayNotice("replay", shown.recordedBy) ?? ""} ${t("It decides nothing about this rule.")}`,
          )
        : nothing
    }
    <p>${said(shown.reason, 400)}</p>
    ${isTable ? dataTable({ label: t("Evidence by task"), headings, rows, most: 12 }) : evidencePlot(shown)}
    ${shown.counted?.map((sentence) => html`<p class="quiet">${said(sentence, 400)}</p>`)}
    <p class="quiet number">
      ${plural(shown.ownRounds ?? shown.rounds, t("1 round"), t("{0} rounds", wholeNumber(shown.ownRounds ?? shown.rounds)))}
      · ${runCount(shown.runs)} · ${t("{0} new tokens", wholeNumber(shown.tokens))}
      ${shown.moreRounds === null ? nothing : html` · ${moreRoundsText(shown.moreRounds)}`}
    </p>
    ${receipts}
  </purser-section>`;
}

function moreRoundsText(rounds: number): string {
  return plural(
    rounds,
    t("1 more round would decide"),
    t("{0} more rounds would decide", wholeNumber(rounds)),
  );
}

function similar({ actions }: RenderContext, rule: RuleView): TemplateResult | typeof nothing {
  if (rule.similar.length === 0) return nothing;
  return html`<purser-section heading=${t("Similar Rules")} note=${t("By the letters they have in common.")}>
    <ul class="turns">
      ${rule.similar.map(
        ({ id, text, status, likeness }) =>
          html`<li>
            <button class="link" @click=${() => actions.look({ kind: "rule", id })}>
              ${outside(text, 110)}
            </button>
            <span class="quiet">${t("{0}, {1} alike", statusNames[status], percent(100 * likeness))}</span>
          </li>`,
      )}
    </ul>
  </purser-section>`;
}

function history({ now }: RenderContext, rule: RuleView): TemplateResult {
  return html`<purser-section heading=${t("History")} note="">
    <ol class="steps">
      ${rule.steps.map(
        (step) =>
          html`<li>
            <span class="quiet number">${moment(step.at, now)}</span>
            ${outside(describeStep(step), 400)}
          </li>`,
      )}
    </ol>
  </purser-section>`;
}
