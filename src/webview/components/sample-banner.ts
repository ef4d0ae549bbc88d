import { LitElement, css, html } from "lit";
import { controls, shared } from "./styles.ts";
import type { SampleAction } from "./sample-message.ts";

/** Whether the host made this page one of the sample's. */
export const isSample = document.querySelector('meta[name="sample"]') !== null;

const panels: readonly (readonly [action: SampleAction, name: string])[] = [
  ["ledger", "Ledger"],
  ["rules", "Rules"],
  ["bench", "Benchmark"],
  ["compare", "Compare"],
  ["report", "Report"],
  ["guard", "Guard"],
];

/** Says on each panel of the sample what it is, and leads to the other panels. */
class SampleBanner extends LitElement {
  static override readonly styles = [
    shared,
    controls,
    css`
      :host {
        display: block;
        position: sticky;
        top: 0;
        z-index: 2;
        background: var(--vscode-editorWidget-background);
        color: var(--vscode-editorWidget-foreground);
        border-bottom: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border));
      }
      section {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 14px;
        padding: 5px 16px;
      }
      p {
        margin: 0;
        flex: 1 1 auto;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 12px;
      }
    `,
  ];
  /** The pages that fill the panel leave room for it. */
  readonly #size = new ResizeObserver(() => {
    document.documentElement.style.setProperty("--purser-banner-height", `${this.offsetHeight}px`);
  });
  act: (action: SampleAction) => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  protected override render() {
    return html`<section aria-label="Sample">
      <p><strong>Sample data.</strong> Nothing here is yours.</p>
      <nav aria-label="Panels of the sample">
        ${panels.map(
          ([action, name]) => html`<button class="link" @click=${() => this.act(action)}>${name}</button>`,
        )}
      </nav>
      <button class="button" @click=${() => this.act("close")}>Close Sample</button>
    </section>`;
  }
}
customElements.define("purser-sample-banner", SampleBanner);

export function sampleBanner(post: (message: object) => void): HTMLElement {
  const banner = new SampleBanner();
  banner.act = (action) => post({ type: "sample", action });
  return banner;
}
