import { css, html, nothing, type TemplateResult } from "lit";
import { asSentence } from "../../engine/base/text/text.ts";
import { icon, type IconName } from "./icon.ts";

export const stateStyles = css`
  .state {
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 8px;
    max-width: 54ch;
    margin: 12vh auto;
    text-align: center;
  }
  .state > .icon {
    width: 32px;
    height: 32px;
    margin-bottom: 4px;
    color: var(--vscode-descriptionForeground);
  }
  .state .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
    margin-top: 8px;
  }
  .state p {
    overflow-wrap: anywhere;
  }
  .banner {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
    padding: 6px 10px;
    border: 1px solid var(--vscode-inputValidation-warningBorder);
    border-radius: 4px;
    background: var(--vscode-inputValidation-warningBackground);
    color: var(--vscode-inputValidation-warningForeground, var(--vscode-foreground));
  }
  .banner.info {
    border-color: var(--vscode-inputValidation-infoBorder);
    background: var(--vscode-inputValidation-infoBackground);
    color: var(--vscode-inputValidation-infoForeground, var(--vscode-foreground));
  }
  .banner p {
    flex: 1 1 24ch;
    overflow-wrap: anywhere;
  }
  .banner .button {
    max-width: 100%;
    white-space: normal;
  }
  .skeleton {
    display: grid;
    gap: 16px;
    /* Nobody sees a skeleton of what is there at once. */
    animation: appear 0s 200ms both;
  }
  .skeleton div {
    border-radius: 4px;
    background: var(--vscode-list-inactiveSelectionBackground, var(--vscode-list-hoverBackground));
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .skeleton .line {
    width: 38%;
    height: 26px;
  }
  .skeleton .line.short {
    width: 22%;
    height: 14px;
  }
  .skeleton .plot {
    height: 190px;
  }
  .skeleton .row {
    height: 20px;
  }
  @keyframes appear {
    from {
      visibility: hidden;
    }
    to {
      visibility: visible;
    }
  }
`;

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
    <div class="plot"></div>
    ${Array.from({ length: 6 }, () => html`<div class="row"></div>`)}
  </div>`;
}
