import { html, nothing, type TemplateResult } from "lit";
import { asSentence } from "../../engine/base/text.ts";
import { icon, type IconName } from "./icon.ts";

export interface Action {
  readonly label: string;
  readonly run: () => void;
}

export interface State {
  readonly icon: IconName;
  readonly heading: string;
  /** What happened or will appear here, and what to do. */
  readonly text: unknown;
  /** The first is the most likely choice. */
  readonly actions: readonly Action[];
}

/** A page with nothing to show, and the reason. */
export function stateView({ icon: name, heading, text, actions }: State): TemplateResult {
  return html`<div class="state">
    ${icon(name)}
    <h2>${heading}</h2>
    <p class="quiet">${text}</p>
    <div class="buttons">
      ${actions.map(
        ({ label, run }, index) =>
          html`<button class="button ${index === 0 ? "primary" : ""}" @click=${run}>${label}</button>`,
      )}
    </div>
  </div>`;
}

/** A warning above a page that is still useful. Reasons from outside become sentences. */
export function banner(text: string, action: Action | null): TemplateResult {
  return html`<div class="banner">
    ${icon("warning")}
    <p>${asSentence(text)}</p>
    ${action === null ? nothing : html`<button class="button" @click=${action.run}>${action.label}</button>`}
  </div>`;
}

/** Information about the content below. */
export function notice(text: unknown): TemplateResult {
  return html`<div class="banner info">
    ${icon("info")}
    <p>${text}</p>
  </div>`;
}

/** Grey shapes in place of content that is loading. */
export function skeleton(): TemplateResult {
  return html`<div class="skeleton" aria-hidden="true">
    <div class="line"></div>
    <div class="line short"></div>
    <div class="picture"></div>
    ${Array.from({ length: 6 }, () => html`<div></div>`)}
  </div>`;
}
