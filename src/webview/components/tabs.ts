import { LitElement, css, html } from "lit";
import { controls, shared } from "./components-styles.ts";

export interface Tab {
  readonly id: string;
  readonly label: string;
}

const tabStyles = css`
  :host {
    display: block;
  }
  [role="tablist"] {
    display: flex;
    flex-wrap: wrap;
    gap: 0 10px;
    margin-bottom: 8px;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-widget-border));
  }
  [role="tab"] {
    margin-bottom: -1px;
    padding: 4px 4px 5px;
    border-bottom: 2px solid transparent;
    color: var(--vscode-panelTitle-inactiveForeground);
  }
  [role="tab"]:hover {
    color: var(--vscode-panelTitle-activeForeground);
  }
  [role="tab"][aria-selected="true"] {
    border-bottom-color: var(--vscode-panelTitle-activeBorder);
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
    color: var(--vscode-panelTitle-activeForeground);
  }
  [role="tab"]:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
`;

/**
 * Tabs as in the editor's panels. Arrow keys move between them; the tab's panel is slotted. Fires `choose` with the tab's
 * id as detail.
 */
export class PurserTabs extends LitElement {
  static override readonly styles = [shared, controls, tabStyles];
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
