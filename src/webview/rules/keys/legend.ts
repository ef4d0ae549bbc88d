import { html, type TemplateResult } from "lit";
import { t } from "../../../engine/base/text/l10n.ts";
import { icon } from "../../components/icon.ts";
import type { RenderContext } from "../rules-actions.ts";
import { legend } from "./keys.ts";

/** Lists what each key does. */
export function keysLegend({ actions }: RenderContext): TemplateResult {
  return html`<section class="legend" aria-labelledby="keys">
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
