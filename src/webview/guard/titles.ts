import { backButton } from "../components/states.ts";
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { icon } from "../components/icon.ts";
import { outside } from "../components/outside.ts";
import type { RenderContext } from "./guard-model.ts";
import { spanSelect } from "../components/filter-select.ts";

export function homeHeader(context: RenderContext): TemplateResult {
  return html`<header class="title">
    <div><h1 tabindex="-1">${t("Guard")}</h1></div>
    ${
      context.model.view === null
        ? nothing
        : html`<div class="buttons">
            ${spanSelect(t("Period"), context.model.kept.days, (days) => context.actions.showDays(days))}
            ${fileButton(context)}
          </div>`
    }
  </header>`;
}

export function ruleHeader(context: RenderContext, id: string): TemplateResult {
  return html`<header class="title">
    <div>
      ${backButton(t("Guard"), t("Back to Guard (Escape)"), () => context.actions.back())}
      <h1 tabindex="-1">${outside(id, 100)}</h1>
    </div>
    ${context.model.view === null ? nothing : html`<div class="buttons">${fileButton(context)}</div>`}
  </header>`;
}

function fileButton({ actions }: RenderContext): TemplateResult {
  return html`<button
    class="button"
    @click=${() => actions.post({ type: "openFile", whose: "user", line: null })}
  >
    ${icon("file")}${t("Open Rules File")}
  </button>`;
}
