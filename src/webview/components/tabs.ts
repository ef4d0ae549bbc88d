import { LitElement, html } from "lit";
import { styles } from "./styles.ts";

export interface Tab {
  readonly id: string;
  readonly label: string;
}

/**
 * Tabs as in the editor's panels. Arrow keys move between them; the tab's panel is slotted. Fires `choose` with the tab's
 * id as detail.
 */
export class PurserTabs extends LitElement {
  static override readonly styles = styles;
  static override readonly properties = {
    label: {},
    tabs: { attribute: false },
    chosen: {},
  };
  declare label: string;
  declare tabs: readonly Tab[];
  declare chosen: string;

  constructor() {
    super();
    this.label = "";
    this.tabs = [];
    this.chosen = "";
  }

  protected override render() {
    return html`<div role="tablist" aria-label=${this.label} @keydown=${this.#onKey}>
        ${this.tabs.map(
          ({ id, label }) =>
            html`<button
              role="tab"
              id="tab-${id}"
              aria-selected=${id === this.chosen ? "true" : "false"}
              aria-controls="panel"
              tabindex=${id === this.chosen ? "0" : "-1"}
              @click=${() => this.#choose(id)}
            >
              ${label}
            </button>`,
        )}
      </div>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.chosen}"><slot></slot></div>`;
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const index = this.tabs.findIndex(({ id }) => id === this.chosen);
    const last = this.tabs.length - 1;
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = this.tabs.at(next > last ? 0 : next);
    if (tab !== undefined) void this.#move(tab.id);
  };

  async #move(id: string): Promise<void> {
    this.#choose(id);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }

  #choose(id: string): void {
    this.chosen = id;
    this.dispatchEvent(new CustomEvent("choose", { detail: id }));
  }
}

customElements.define("purser-tabs", PurserTabs);
