import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import { icon } from "../components/icon.ts";
import { skeleton, stateView } from "../components/states.ts";
import { troubleBanner, troubleView } from "../components/trouble.ts";
import type { RenderContext } from "./rules-actions.ts";
import { decidedBar } from "./decided-bar.ts";
import { keysLegend } from "./keys/legend.ts";
import { learnedPage } from "./learned/learned-page.ts";
import { ruleList } from "./list/list-view.ts";
import { markedBar } from "./many/marked-bar.ts";
import { memoryPage } from "./memory/memory-page.ts";
import { placeOf, type Shown } from "./rules-model.ts";
import { rulePage } from "./review-page.ts";
import { selectionPage } from "./selection/selection-page.ts";
import { trialPage } from "./trial/trial-page.ts";

/** The page's title where there is no other heading. */
const title = html`<h1 class="hidden-text">${t("Rule Review")}</h1>`;

/** Shows the whole page. */
export function pageOf(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const { view, trouble } = model;
  if (view === null) return trouble === null ? skeleton() : html`${title}${troubleView(trouble, actions)}`;
  const line = troubleBanner(trouble, actions);
  if (view.rules.length === 0 && model.learned.length === 0)
    return html`${line}${title}${stateView({
      icon: "inbox",
      heading: t("No rules yet"),
      text: t(
        "When a run is more expensive than 75 % of the earlier ones, purser proposes a rule here that would have saved tokens. You can also write one yourself, or import the lines of a CLAUDE.md. No rule reaches an agent before you approved it and it was measured.",
      ),
      actions: [{ label: t("Add Rule…"), run: () => actions.post({ type: "add" }) }],
    })}`;
  return html`${line}${columns(context)}${context.isLegendOpen ? keysLegend(context) : nothing}${markedBar(context)}${decidedBar(context)}`;
}

/** Shows the list and the chosen entry, each with its own scroll bar; only one of them when there is no room for both. */
function columns(context: RenderContext): TemplateResult {
  const { model, actions, isNarrow } = context;
  const shown = placeOf(model);
  if (!isNarrow)
    return html`<div class="columns">
      ${ruleList(context)}
      <div class="detail">
        ${shown === null ? html`<p class="quiet">${t("Choose a rule.")}</p>` : shownPage(context, shown)}
      </div>
    </div>`;
  if (shown === null || !model.kept.isOpen) return html`<div class="columns">${ruleList(context)}</div>`;
  return html`<div class="columns">
    <div class="detail">
      <button class="tool back" title=${t("Back to the list (Escape)")} @click=${() => actions.back()}>
        ${icon("back")}<span>${t("Rules")}</span>
      </button>
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
