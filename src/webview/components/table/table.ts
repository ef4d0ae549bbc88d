import { LitElement, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import { icon } from "../icon.ts";
import { givenOrder, rowFault, rowsWith, sortedRows, type Order, type TableRow } from "./table-rows.ts";
import { styles } from "../styles.ts";

export interface Heading {
  readonly text: string;
  readonly isNumber?: boolean;
  /** The column is hidden when there is little room. */
  readonly isExtra?: boolean;
  /** The rows are given in the order of this column. */
  readonly order?: Order["direction"];
  readonly title?: string | undefined;
}

/** A table that can be sorted by every column, and shows only its first rows until the user expands it. */
export class PurserTable extends LitElement {
  static override readonly styles = styles;
  static override readonly properties = {
    label: {},
    headings: { attribute: false },
    rows: { attribute: false },
    most: { type: Number },
    sorted: { attribute: false },
    isSearchable: { type: Boolean },
    order: { state: true },
    words: { state: true },
    isWhole: { state: true },
  };
  /** The name for screen readers. */
  declare label: string;
  declare headings: readonly Heading[];
  declare rows: readonly TableRow[];
  /** The number of rows shown at first. */
  declare most: number;
  /** The order of the rows; null for their given order. */
  declare sorted: Order | null;
  /** Whether the user can filter the rows by the texts in them. */
  declare isSearchable: boolean;
  /** The order that the user chose. */
  declare order: Order | null;
  /** What the user filters by. */
  declare words: string;
  declare isWhole: boolean;

  constructor() {
    super();
    this.label = "";
    this.headings = [];
    this.rows = [];
    this.most = 10;
    this.sorted = null;
    this.isSearchable = false;
    this.order = null;
    this.words = "";
    this.isWhole = false;
  }

  /** Moves the focus to the first button of a row. Returns whether there is such a row. */
  focusRow(key: string): boolean {
    const index = this.#rows().findIndex((row) => row.key === key);
    const button = this.renderRoot.querySelectorAll("tbody tr")[index]?.querySelector("button");
    button?.focus();
    return button !== undefined && button !== null;
  }

  protected override render() {
    const sorted = this.#rows();
    // One more row takes no more room than the button would.
    const shown = this.isWhole || sorted.length <= this.most + 1 ? sorted : sorted.slice(0, this.most);
    return html`${this.isSearchable && this.rows.length > this.most ? this.#search(sorted.length) : nothing}
      <div class="frame">
        <table aria-label=${this.label} aria-rowcount=${sorted.length + 1} tabindex="-1">
          <thead>
            <tr>
              ${this.headings.map((heading, column) => this.#heading(heading, column))}
            </tr>
          </thead>
          <tbody>
            ${repeat(
              shown,
              ({ key }) => key,
              ({ cells }) =>
                html`<tr>
                  ${cells.map((cell, column) => this.#cell(cell.content(), column))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        shown.length === sorted.length
          ? nothing
          : html`<button class="link more" @click=${this.#showAll}>
              ${t("Show all {0}", wholeNumber(sorted.length))}
            </button>`
      }`;
  }

  #rows(): readonly TableRow[] {
    return sortedRows(rowsWith(this.rows, this.words), this.order);
  }

  #search(found: number): TemplateResult {
    return html`<div class="search">
      <input
        type="text"
        aria-label=${t("Filter {0}", this.label)}
        placeholder=${t("Filter")}
        maxlength="200"
        .value=${this.words}
        @input=${(event: InputEvent) => {
          if (event.target instanceof HTMLInputElement) this.words = event.target.value;
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "Escape" || this.words === "") return;
          event.stopPropagation();
          event.preventDefault();
          this.words = "";
        }}
      />
      <span class="quiet number" aria-live="polite"
        >${this.words.trim() === "" ? "" : t("{0} of {1}", wholeNumber(found), wholeNumber(this.rows.length))}</span
      >
    </div>`;
  }

  #heading({ text, isNumber, isExtra, title }: Heading, column: number): TemplateResult {
    const shown = this.order ?? this.sorted;
    const direction = shown?.column === column ? shown.direction : "none";
    return html`<th
      scope="col"
      class="${isNumber === true ? "end" : ""} ${isExtra === true ? "extra" : ""}"
      aria-sort=${direction}
    >
      <button title=${title ?? nothing} @click=${() => this.#sortBy(column)}>
        ${text}<span class="arrow" aria-hidden="true"
          >${direction === "none" ? "" : direction === "ascending" ? "↑" : "↓"}</span
        >
      </button>
    </th>`;
  }

  #cell(content: unknown, column: number): TemplateResult {
    const { isNumber, isExtra } = this.headings[column] ?? {};
    const kind = `${isNumber === true ? "end number" : ""} ${isExtra === true ? "extra" : ""}`;
    return column === 0
      ? html`<th scope="row" class=${kind}>${content}</th>`
      : html`<td class=${kind}>${content}</td>`;
  }

  /** Sorts by a column: first largest figures or A to Z, then reversed, then in the original order, which may be one of these. */
  #sortBy(column: number): void {
    if (this.sorted?.column === column) {
      const direction = this.sorted.direction === "ascending" ? "descending" : "ascending";
      this.order = this.order?.column === column ? null : { column, direction };
      return;
    }
    const first = this.headings[column]?.isNumber === true ? "descending" : "ascending";
    const second = first === "descending" ? "ascending" : "descending";
    const now = this.order?.column === column ? this.order.direction : undefined;
    this.order = now === second ? null : { column, direction: now === undefined ? first : second };
  }

  readonly #showAll = async () => {
    this.isWhole = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("table")?.focus({ preventScroll: true });
  };
}

customElements.define("purser-table", PurserTable);

interface TableParts {
  readonly id?: string;
  readonly label: string;
  readonly headings: readonly Heading[];
  readonly rows: readonly TableRow[];
  readonly most?: number;
  readonly isSearchable?: boolean;
}

/** A table of data. Its members are those of `PurserTable`. */
export function dataTable(parts: TableParts): TemplateResult {
  const { id, label, headings, rows, most = 10, isSearchable = false } = parts;
  const fault = rowFault(headings, rows);
  if (fault !== null) throw new Error(`table ${label}: ${fault}`);
  return html`<purser-table
    id=${id ?? nothing}
    label=${label}
    .headings=${headings}
    .rows=${rows}
    .most=${most}
    .sorted=${givenOrder(headings)}
    ?isSearchable=${isSearchable}
  ></purser-table>`;
}

/** A button that switches between a chart and a table of its figures. */
export function tableToggle(isTable: boolean, label: string, toggle: () => void): TemplateResult {
  const words = isTable ? t("Show Chart") : t("Show Table");
  return html`<button class="tool" aria-label="${words}: ${label}" @click=${toggle}>
    ${icon(isTable ? "graph" : "table")}<span>${words}</span>
  </button>`;
}
