import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { icon } from "../components/icon.ts";
import { outside } from "../components/outside.ts";
import type { RenderContext } from "./guard-model.ts";
import { spanNames } from "./describe-guard.ts";
import { spans, type Span } from "./protocol.ts";

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
      <button class="tool back" title=${t("Back to Guard (Escape)")} @click=${() => context.actions.back()}>
        ${icon("back")}<span>${t("Guard")}</span>
      </button>
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

export function spanSelect(label: string, now: Span, choose: (days: Span) => void): TemplateResult {
  return html`<label class="filter"
    >${label}
    <select
      @change=${({ currentTarget }: Event) => {
        const chosen =
          currentTarget instanceof HTMLSelectElement ? spans[currentTarget.selectedIndex] : undefined;
        if (chosen !== undefined) choose(chosen);
      }}
    >
      ${spans.map((days) => html`<option .selected=${days === now}>${spanNames[days]}</option>`)}
    </select></label
  >`;
}
