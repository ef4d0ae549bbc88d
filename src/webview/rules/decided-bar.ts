import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../components/icon.ts";
import type { RenderContext } from "./actions.ts";
import { undoable } from "./decision.ts";
import { placeOf } from "./model.ts";
import { ruleText, statusNames } from "./describe.ts";

/**
 * Names the last decision, with a button to undo it. Hidden while the decided rule is shown, which has that button
 * itself.
 */
export function decidedBar({ model, actions, isNarrow }: RenderContext): TemplateResult | typeof nothing {
  const rule = undoable(model);
  const { place, isOpen } = model.kept;
  const isShown = place?.kind === "rule" && place.id === rule?.id && (isOpen || !isNarrow);
  if (rule === null || isShown) return nothing;
  const shown = placeOf(model);
  // The key undoes the last action on the shown rule, if that is possible.
  const isKeyed = shown?.kind !== "rule" || (isNarrow && !isOpen) || !shown.rule.canUndo;
  return html`<div class="decided" role="group" aria-label="What you decided last">
    <p><span class="strong">${statusNames[rule.status]}:</span> <bdi>${ruleText(rule, 400)}</bdi></p>
    <button
      class="button"
      aria-keyshortcuts=${isKeyed ? "u" : nothing}
      ?disabled=${model.isBusy}
      @click=${() => actions.undoDecided()}
    >
      Undo ${isKeyed ? html`<kbd>u</kbd>` : nothing}
    </button>
    <button class="tool" aria-label="Dismiss" title="Dismiss" @click=${() => actions.forgetDecided()}>
      ${icon("close")}
    </button>
  </div>`;
}
