import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import { icon } from "../components/icon.ts";
import type { Actions } from "./compare-actions.ts";

export function backTo(actions: Actions): TemplateResult {
  return html`<button class="tool back" title=${t("Back to Compare (Escape)")} @click=${() => actions.back()}>
    ${icon("back")}<span>${t("Compare")}</span>
  </button>`;
}
