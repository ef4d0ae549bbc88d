import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { icon } from "../components/icon.ts";
import { skeleton, stateView, troubleBanner, troubleView, backButton } from "../components/states.ts";
import type { RenderContext } from "./page-model.ts";
import { learnedPage } from "./learned-page.ts";
import { ruleList } from "./list/list-view.ts";
import { learnedLinks, pageHead } from "./page-head.ts";
import { markedBar } from "./marked-bar.ts";
import { memoryPage } from "./memory-page.ts";
import { placeOf, type Shown } from "./rules-model.ts";
import { rulePage } from "./review-page.ts";
import { selectionPage } from "./selection/selection-page.ts";
import { trialPage } from "./trial/trial-page.ts";
import { legend } from "./keys.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { undoable, undoesMany } from "./decision.ts";
import { ruleText, statusNames } from "./names.ts";

/** The page's title if there is no other heading. */
const title = html`<h1 class="hidden-text">${t("Rules")}</h1>`;

/** Shows the whole page. */
export function pageOf(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const { view, trouble } = model;
  if (view === null) return trouble === null ? skeleton() : html`${title}${troubleView(trouble, actions)}`;
  const line = troubleBanner(trouble, actions);
  if (view.rules.length === 0 && model.kept.place?.kind !== "learned")
    return html`${line}${title}${stateView({
      icon: "inbox",
      heading: t("No rules yet"),
      text: t(
        "When a run is more expensive than 75% of the earlier ones, purser proposes a rule here that would have saved tokens. You can also write one yourself, or import the lines of a CLAUDE.md. No rule reaches an agent before you approved it and it was measured.",
      ),
      actions: [
        { label: t("Add Rule…"), run: () => actions.post({ type: "add" }) },
        ...learnedLinks(model, actions),
      ],
    })}`;
  return html`${line}${columns(context)}${context.isLegendOpen ? keysLegend(context) : nothing}${markedBar(context)}${decidedBar(context)}`;
}

/**
 * Shows the list and the chosen entry, each with a scroll bar; only one of them if there is no room for both.
 */
function columns(context: RenderContext): TemplateResult {
  const { model, actions, isNarrow } = context;
  const shown = placeOf(model);
  if (!isNarrow)
    return html`${pageHead(context)}
      <div class="columns">
        ${ruleList(context)}
        <div class="detail">${shown === null ? nothing : shownPage(context, shown)}</div>
      </div>`;
  if (shown === null || !model.kept.isOpen)
    return html`${pageHead(context)}
      <div class="columns">${ruleList(context)}</div>`;
  return html`<div class="columns">
    <div class="detail">
      ${backButton(t("Rules"), t("Back to the list (Escape)"), () => actions.back())}
      ${shownPage(context, shown)}
    </div>
  </div>`;
}

function shownPage(context: RenderContext, shown: Shown): TemplateResult {
  switch (shown.kind) {
    case "rule":
      return rulePage(context, shown.rule);
    case "memory":
      return memoryPage(context, shown.memory);
    case "selection":
      return selectionPage(context, shown.agent);
    case "trial":
      return trialPage(context, shown.agent);
    case "learned":
      return learnedPage(context, shown.project);
  }
}

/** Lists what each key does. */
function keysLegend({ actions }: RenderContext): TemplateResult {
  return html`<section class="keys" aria-labelledby="keys">
    <header>
      <h2 id="keys">${t("Keyboard Shortcuts")}</h2>
      <button
        class="tool"
        aria-label=${t("Close")}
        title=${t("Close (Escape)")}
        @click=${() => actions.toggleLegend()}
      >
        ${icon("close")}
      </button>
    </header>
    <dl>
      ${legend.map(
        ([keys, what]) =>
          html`<div>
            <dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
            <dd>${what}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/**
 * Names the last decision, with a button to undo it. Hidden while the decided rule is shown, which has that button
 * itself.
 */
function decidedBar(context: RenderContext): TemplateResult | typeof nothing {
  const { model, isNarrow } = context;
  const rules = undoable(model);
  const [rule] = rules;
  if (rule === undefined || model.marked.size > 0) return nothing;
  if (rules.length > 1) return manyDecided(context, rules.length);
  const { place, isOpen } = model.kept;
  const isShown = place?.kind === "rule" && place.id === rule.id && (isOpen || !isNarrow);
  if (isShown) return nothing;
  const shown = placeOf(model);
  // The key undoes the last action on the shown rule, if that is possible.
  const isKeyed = shown?.kind !== "rule" || (isNarrow && !isOpen) || !shown.rule.canUndo;
  const what = html`<span class="strong">${statusNames[rule.status]}:</span>
    <bdi>${ruleText(rule, 400)}</bdi>`;
  return bar(context, what, { undo: t("Undo"), isKeyed });
}

function manyDecided(context: RenderContext, count: number): TemplateResult {
  const { model, isNarrow } = context;
  const shown = placeOf(model);
  const isShown = shown?.kind === "rule" && (model.kept.isOpen || !isNarrow);
  return bar(context, html`<bdi>${model.done}</bdi>`, {
    undo: t("Undo {0}", wholeNumber(count)),
    isKeyed: undoesMany(model, isShown ? shown.rule : null),
  });
}

function bar(
  { model, actions }: RenderContext,
  what: TemplateResult,
  { undo, isKeyed }: { readonly undo: string; readonly isKeyed: boolean },
): TemplateResult {
  return html`<div class="decided" role="group" aria-label=${t("What you decided last")}>
    <p>${what}</p>
    <button
      class="button"
      aria-keyshortcuts=${isKeyed ? "u" : nothing}
      ?disabled=${model.isBusy}
      @click=${() => actions.undoDecided()}
    >
      ${undo} ${isKeyed ? html`<kbd aria-hidden="true">u</kbd>` : nothing}
    </button>
    <button
      class="tool"
      aria-label=${t("Dismiss")}
      title=${t("Dismiss")}
      @click=${() => actions.forgetDecided()}
    >
      ${icon("close")}
    </button>
  </div>`;
}
