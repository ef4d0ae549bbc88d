import { LitElement, html } from "lit";
import { t } from "../../engine/base/language.ts";
import { filled } from "./sentences.ts";
import type { LinkedPanel, SampleAction } from "./panel-message.ts";
import { styles } from "./styles.ts";

/** Reads a fact about this page that the host wrote into its head. */
const readMeta = (name: string) =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? null;
export const isSample = readMeta("sample") !== null;
const shown = readMeta("panel");

const panels: readonly (readonly [panel: LinkedPanel, name: string])[] = [
  ["ledger", t("Usage")],
  ["rules", t("Rules")],
  ["experiments", t("Experiments")],
  ["guard", t("Guard")],
];

/** The page of the Recurring Agents view, which most projects have no use for. */
const recurring: (typeof panels)[number] = ["economy", t("Recurring Agents")];
const linked = isSample || shown === "economy" ? [...panels, recurring] : panels;

/** Links each panel to the others. In the sample it also shows that this is the sample, and stays visible. */
class PanelLinks extends LitElement {
  static override readonly styles = styles;
  /** The pages that fill the panel leave room for it. */
  readonly #size = new ResizeObserver(() => {
    document.documentElement.style.setProperty("--purser-banner-height", `${this.offsetHeight}px`);
  });
  act: (action: SampleAction) => void = () => undefined;
  home: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.toggleAttribute("sample", isSample);
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  protected override render() {
    const links = html`<nav aria-label=${isSample ? t("Panels of the sample") : t("Panels")}>
      ${linked.map(([panel, name]) => this.#link(panel, name))}
    </nav>`;
    return isSample
      ? html`<section aria-label=${t("Sample")}>
          <p>${filled(t("{0} Nothing here is yours."), html`<strong>${t("Sample data.")}</strong>`)}</p>
          <button class="button" @click=${() => this.act("close")}>${t("Close Sample")}</button>
          ${links}
        </section>`
      : links;
  }

  #link(panel: LinkedPanel, name: string) {
    if (panel === shown)
      return html`<button class="link" aria-current="page" @click=${() => this.home()}>${name}</button>`;
    if (isSample) return html`<button class="link" @click=${() => this.act(panel)}>${name}</button>`;
    const follow = (event: Event) => {
      event.preventDefault();
      this.act(panel);
    };
    return html`<a class="link" href="#" @click=${follow}>${name}</a>`;
  }
}
customElements.define("purser-panel-links", PanelLinks);

/**
 * Returns the links above a page; null if its host names no panel.
 *
 * @param home shows the panel's first page
 */
export function panelLinks(post: (message: object) => void, home: () => void): HTMLElement | null {
  if (shown === null && !isSample) return null;
  const links = new PanelLinks();
  links.home = home;
  links.act = (action) => {
    post(isSample ? { type: "sample", action } : { type: "show", panel: action });
  };
  return links;
}
