import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/text/local-format.ts";
import { t } from "../../engine/base/text/l10n.ts";
import { icon } from "../components/icon.ts";
import type { RenderContext } from "./rules-actions.ts";
import { undoable, undoesMany } from "./decision.ts";
import { placeOf } from "./rules-model.ts";
import { ruleText, statusNames } from "./names.ts";

/**
 * Names the last decision, with a button to undo it. Hidden while the decided rule is shown, which has that button
 * itself.
 */
export function decidedBar(context: RenderContext): TemplateResult | typeof nothing {
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
