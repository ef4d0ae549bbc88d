import { LitElement, html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { styles } from "./styles.ts";

export interface Tab<Id extends string = string> {
  readonly id: Id;
  readonly label: string;
  /** Number of entries. */
  readonly count?: number;
}

/** Id of the element that the tabs switch. */
export const tabPanel = "panel";

/** Tabs as in the editor's panels, above an element with the role `tabpanel` and the id `tabPanel`. Arrow keys move between them. */
export function tabStrip<Id extends string>(
  { label, tabs, chosen }: { readonly label: string; readonly tabs: readonly Tab<Id>[]; readonly chosen: Id },
  choose: (id: Id) => void,
): TemplateResult {
  const move = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ id }) => id === chosen);
    const last = tabs.length - 1;
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const place = (next + tabs.length) % tabs.length;
    const tab = tabs[place];
    if (tab === undefined) return;
    if (event.currentTarget instanceof Element)
      event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[place]?.focus();
    choose(tab.id);
  };
  return html`<div role="tablist" aria-label=${label} @keydown=${move}>
    ${tabs.map(
      ({ id, label: name, count }) =>
        html`<button
          role="tab"
          id="tab-${id}"
          aria-label=${count === undefined ? nothing : `${name} ${wholeNumber(count)}`}
          aria-selected=${id === chosen ? "true" : "false"}
          aria-controls=${tabPanel}
          tabindex=${id === chosen ? "0" : "-1"}
          @click=${() => choose(id)}
        >
          ${name}${count === undefined ? nothing : html` <span class="count number">${wholeNumber(count)}</span>`}
        </button>`,
    )}
  </div>`;
}

/** Tabs whose panel is slotted. Fires `choose` with the tab's id as detail. */
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
    return html`${tabStrip(this, (id) => this.#choose(id))}
      <div role="tabpanel" id=${tabPanel} aria-labelledby="tab-${this.chosen}"><slot></slot></div>`;
  }

  #choose(id: string): void {
    this.chosen = id;
    this.dispatchEvent(new CustomEvent("choose", { detail: id }));
  }
}

customElements.define("purser-tabs", PurserTabs);
