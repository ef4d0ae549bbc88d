import { LitElement, html, nothing } from "lit";
import { t } from "../../engine/base/language.ts";
import { icon } from "./icon.ts";
import { styles } from "./styles.ts";

/**
 * A section of a page: a quiet heading, an `i` button that expands a note on the figures' origin, actions on the
 * right (slot `actions`), and the content.
 */
export class PurserSection extends LitElement {
  static override readonly styles = styles;
  static override readonly properties = {
    heading: {},
    note: {},
    isOpen: { state: true },
  };
  declare heading: string;
  declare note: string;
  declare isOpen: boolean;

  constructor() {
    super();
    this.heading = "";
    this.note = "";
    this.isOpen = false;
  }

  protected override render() {
    const { heading, note, isOpen } = this;
    return html`<section aria-labelledby="heading">
      <header>
        <h2 id="heading">${heading}</h2>
        ${
          note === ""
            ? nothing
            : html`<button
                class="tool"
                aria-label=${t("Where these figures come from: {0}", heading)}
                aria-expanded=${isOpen ? "true" : "false"}
                aria-controls="note"
                title=${note}
                @click=${() => (this.isOpen = !isOpen)}
              >
                ${icon("info")}
              </button>`
        }
        <div class="actions"><slot name="actions"></slot></div>
      </header>
      <p class="note" id="note" ?hidden=${!isOpen}>${note}</p>
      <slot></slot>
    </section>`;
  }
}

customElements.define("purser-section", PurserSection);
