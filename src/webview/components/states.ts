import { html, nothing, type TemplateResult } from "lit";
import { asSentence } from "../../engine/base/text.ts";
import { icon, type IconName } from "./icon.ts";
import { t } from "../../engine/base/language.ts";
import type { Remedies, Trouble } from "./page-context.ts";

interface Action {
  readonly label: string;
  readonly run: () => void;
}

interface State {
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

/** Information about the content below, with what the user can do about it. */
export function notice(
  text: unknown,
  actions: readonly Action[] = [],
  { isBusy = false, iconName = "info" }: { readonly isBusy?: boolean; readonly iconName?: IconName } = {},
): TemplateResult {
  return html`<div class="banner info">
    ${icon(iconName)}
    <p>${text}</p>
    ${actions.map(
      ({ label, run }) => html`<button class="button" ?disabled=${isBusy} @click=${run}>${label}</button>`,
    )}
  </div>`;
}

/** Facts in rows, each behind its name. @param kind an additional CSS class of the values */
export function factList(
  rows: readonly (readonly [name: string, value: unknown])[],
  kind = "",
): TemplateResult {
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd class=${kind}>${value}</dd>`,
    )}
  </dl>`;
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

/** Fills a page that has nothing else to show. The heading does not repeat the message. */
export function troubleView({ type, message }: Trouble, actions: Remedies): TemplateResult {
  return stateView({
    icon: type === "offline" ? "disconnect" : "error",
    heading: type === "offline" ? t("The service is offline") : t("Nothing can be shown now"),
    text: asSentence(message),
    actions: [
      { label: t("Try Again"), run: () => actions.retry() },
      { label: t("Show Log"), run: () => actions.showLog() },
    ],
  });
}

/** A line above a page that is still useful. */
export function troubleBanner(
  trouble: Trouble | null,
  actions: Pick<Remedies, "retry">,
): TemplateResult | typeof nothing {
  return trouble === null
    ? nothing
    : banner(trouble.message, { label: t("Try Again"), run: () => actions.retry() });
}

/** Goes one page back. @param title its tooltip */
export function backButton(label: string, title: string, back: () => void): TemplateResult {
  return html`<button class="tool back" title=${title} @click=${back}>
    ${icon("back")}<span>${label}</span>
  </button>`;
}
