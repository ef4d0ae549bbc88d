import { column, numberColumn } from "../table/table-cells.ts";
import { LitElement, html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { t } from "../../../engine/base/language.ts";
import { outside, outsideText } from "../outside.ts";
import { labelledColumns, niceTicks, roomForNames, sum, type Mark, type Series } from "./series.ts";
import type { Heading } from "../table/table.ts";
import { dataTable } from "../table/table.ts";
import { styles } from "../styles.ts";

export interface Column {
  /** The full name: a date, a turn. */
  readonly name: string;
  /** The name below the column, on the axis. */
  readonly tick: string;
  /** One per series. Their sum is the column's value. */
  readonly values: readonly number[];
}

/** Positions on the drawing. Pixels. */
export interface Frame {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly x: (column: number) => number;
  readonly y: (value: number) => number;
}

const [top, bottom, left] = [8, 22, 46];
/** Page Up and Page Down move this far. Columns. */
const stride = 10;
/** Maximum length of a series name: a model may have any name. Characters. */
const maxNameLength = 40;

/**
 * A chart of columns that the user explores with the pointer or the arrow keys; the legend then shows that
 * column's figures. To a screen reader it is a slider with the column in words as its value. The same figures
 * are available as a table.
 */
export abstract class PurserChart extends LitElement {
  static override readonly styles = styles;
  static override readonly properties = {
    label: {},
    columnHeading: {},
    series: { attribute: false },
    columns: { attribute: false },
    marks: { attribute: false },
    summary: { attribute: false },
    format: { attribute: false },
    partFormat: { attribute: false },
    axisFormat: { attribute: false },
    isTable: { type: Boolean },
    isNewestFirst: { type: Boolean },
    pickHint: {},
    active: { state: true },
    width: { state: true },
  };
  /** What the chart shows, with the unit. */
  declare label: string;
  /** The heading of columns in the table. */
  declare columnHeading: string;
  declare series: readonly Series[];
  declare columns: readonly Column[];
  declare marks: readonly Mark[];
  /** Shown in the legend while no column is active. */
  declare summary: { readonly name: string; readonly values: readonly number[] };
  declare format: (value: number) => string;
  /** Formats a series that is less certain than the whole. */
  declare partFormat: ((value: number) => string) | null;
  declare axisFormat: (value: number) => string;
  declare isTable: boolean;
  /** Whether the table starts with the newest column. */
  declare isNewestFirst: boolean;
  /** What a click or Enter on a column does, which is reported as the event `pick`; empty if it does nothing. */
  declare pickHint: string;
  declare active: number | null;
  declare width: number;
  readonly #resizes: ResizeObserver;
  #drawn: TemplateResult = svg``;

  protected abstract readonly plotHeight: number;
  protected abstract readonly isCursorOver: boolean;
  /** The chart has one series, which its label names. */
  protected readonly isSingle: boolean = false;
  protected abstract draw(frame: Frame): TemplateResult;
  protected abstract drawCursor(frame: Frame, column: number): TemplateResult;

  constructor() {
    super();
    this.label = "";
    this.columnHeading = "";
    this.series = [];
    this.columns = [];
    this.marks = [];
    this.summary = { name: "", values: [] };
    this.format = String;
    this.partFormat = null;
    this.axisFormat = String;
    this.isTable = false;
    this.isNewestFirst = false;
    this.pickHint = "";
    this.active = null;
    this.width = 0;
    this.#resizes = new ResizeObserver(([entry]) => {
      if (entry !== undefined) this.width = Math.round(entry.contentRect.width);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resizes.observe(this);
    this.width = Math.round(this.getBoundingClientRect().width);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resizes.disconnect();
  }

  /** Makes a column active, as if the user had moved there. */
  show(column: number): void {
    this.active = Math.max(0, Math.min(this.columns.length - 1, column));
  }

  /** Takes the focus and makes a column active. */
  focusColumn(column: number): void {
    this.renderRoot.querySelector<HTMLElement>(".plot")?.focus({ preventScroll: true });
    if (column >= 0) this.show(column);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.active !== null && this.active >= this.columns.length) this.active = null;
    // Moving from column to column redraws only the cursor.
    if (changed.size > 1 || !changed.has("active")) this.#drawn = this.#drawPlot();
  }

  protected override render() {
    if (this.isTable) return this.#table();
    const { active, columns, plotHeight } = this;
    const column = active === null ? undefined : columns[active];
    const spoken = column ?? this.summary;
    const cursor = active === null ? nothing : this.drawCursor(this.#frame(), active);
    return html`<dl class="legend">${this.#legend(spoken)}</dl>
      <div
        class=${classMap({ plot: true, picks: this.pickHint !== "" })}
        aria-describedby=${this.pickHint === "" ? nothing : "hint"}
        role="slider"
        tabindex="0"
        aria-label=${this.label}
        aria-orientation="horizontal"
        aria-valuemin="1"
        aria-valuemax=${Math.max(1, columns.length)}
        aria-valuenow=${(active ?? columns.length - 1) + 1}
        aria-valuetext=${this.#describe(spoken)}
        @keydown=${this.#onKey}
        @pointermove=${this.#onPointer}
        @pointerdown=${this.#onPointer}
        @click=${this.#onClick}
        @pointerleave=${() => (this.active = null)}
        @blur=${() => (this.active = null)}
      >
        <svg aria-hidden="true" height=${plotHeight}>
          ${this.isCursorOver ? nothing : cursor}${this.#drawn}${this.isCursorOver ? cursor : nothing}
        </svg>
      </div>
      ${this.pickHint === "" ? nothing : html`<p id="hint" class="hidden-text">${this.pickHint}</p>`}`;
  }

  #legend(column: { readonly name: string; readonly values: readonly number[] }): TemplateResult[] {
    const lead = html`<div class="lead">
      <dt>${column.name}</dt>
      <dd>${this.format(sum(column.values))}</dd>
    </div>`;
    const names = this.series.map(
      ({ name, tone }, index) =>
        html`<div>
          <dt>
            <span class=${classMap({ swatch: true, [`tone-${tone ?? "other"}`]: true })}></span
            ><span class="name">${outside(name, maxNameLength)}</span>
          </dt>
          <dd>${this.#part(column.values[index] ?? 0)}</dd>
        </div>`,
    );
    return this.isSingle ? [lead] : [lead, ...names];
  }

  #describe(column: { readonly name: string; readonly values: readonly number[] }): string {
    const parts = this.series.flatMap(({ name }, index) => {
      const value = column.values[index] ?? 0;
      return value === 0 ? [] : [`${outsideText(name, maxNameLength)} ${this.#part(value)}`];
    });
    return [`${column.name}: ${this.format(sum(column.values))}`, ...parts].join(", ");
  }

  #part(value: number): string {
    return (this.partFormat ?? this.format)(value);
  }

  #frame(): Frame {
    const width = Math.max(0, this.width - left);
    const height = this.plotHeight - top - bottom;
    const band = width / Math.max(1, this.columns.length);
    const largest = niceTicks(this.largest(), 4).at(-1) ?? 0;
    return {
      left,
      width,
      height,
      x: (column) => left + band * column,
      y: (value) => top + (largest === 0 ? height : height * (1 - value / largest)),
    };
  }

  /** The value that the axis has to reach. */
  protected largest(): number {
    return this.columns.reduce((largest, { values }) => Math.max(largest, sum(values)), 0);
  }

  #drawPlot(): TemplateResult {
    const frame = this.#frame();
    if (this.width === 0) return svg``;
    const { columns } = this;
    const ticks = niceTicks(this.largest(), 4);
    const nameRoom = roomForNames(columns.map(({ tick }) => tick));
    const labelled = labelledColumns(columns.length, Math.floor(frame.width / nameRoom));
    const right = frame.left + frame.width;
    const half = (frame.x(1) - frame.x(0)) / 2;
    return svg`
      ${ticks.map(
        (tick) => svg`
          <line class=${tick === 0 ? "axis" : "grid"} x1=${left} x2=${right} y1=${frame.y(tick)} y2=${frame.y(tick)} />
          <text x=${left - 8} y=${frame.y(tick) + 4} text-anchor="end">${this.axisFormat(tick)}</text>`,
      )}
      ${this.draw(frame)}
      ${labelled.map((index) => {
        const middle = frame.x(index) + half;
        // Names at the edges stay inside the drawing.
        const isFirst = middle - left < nameRoom / 2;
        const isLast = !isFirst && right - middle < nameRoom / 2;
        const anchor = isFirst ? "start" : isLast ? "end" : "middle";
        const x = isFirst ? Math.max(left, frame.x(index)) : isLast ? right : middle;
        return svg`<text x=${x} y=${this.plotHeight - 5} text-anchor=${anchor}>${columns[index]?.tick ?? ""}</text>`;
      })}
      ${this.marks.map(
        ({ column }) =>
          svg`<line class="mark" x1=${frame.x(column)} x2=${frame.x(column)} y1=${top - 6} y2=${frame.y(0)} />`,
      )}`;
  }

  #table(): TemplateResult {
    const headings: Heading[] = [
      column(this.columnHeading),
      numberColumn(t("All")),
      ...this.series.map(({ name }) => numberColumn(outsideText(name, maxNameLength))),
    ];
    const rows = this.columns.map(({ name, values }, index) => ({
      key: String(index),
      cells: [
        { content: () => name, sort: index },
        { content: () => this.format(sum(values)), sort: sum(values) },
        ...values.map((value) => ({ content: () => this.#part(value), sort: value })),
      ],
    }));
    if (this.isNewestFirst) rows.reverse();
    return dataTable({ label: this.label, headings, rows, most: 14 });
  }

  #pick(column: number): void {
    if (this.pickHint !== "") this.dispatchEvent(new CustomEvent("pick", { detail: column }));
  }

  readonly #onClick = (event: MouseEvent) => {
    const column = this.#columnAt(event);
    if (column !== null) this.#pick(column);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && this.active !== null) {
      event.preventDefault();
      this.#pick(this.active);
      return;
    }
    const last = this.columns.length - 1;
    // The first key starts at the newest column.
    const now = this.active ?? last + (event.key === "ArrowLeft" ? 1 : 0);
    const next = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      PageDown: now - stride,
      PageUp: now + stride,
      Home: 0,
      End: last,
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.show(next);
    } else if (event.key === "Escape" && this.active !== null) {
      event.stopPropagation();
      this.active = null;
    }
  };

  readonly #onPointer = (event: PointerEvent) => {
    const column = this.#columnAt(event);
    if (column !== null) this.show(column);
  };

  #columnAt({ currentTarget, clientX }: MouseEvent): number | null {
    if (!(currentTarget instanceof Element) || this.columns.length === 0) return null;
    const across = clientX - currentTarget.getBoundingClientRect().left - left;
    const column = Math.floor((across / Math.max(1, this.width - left)) * this.columns.length);
    return column < 0 ? null : Math.min(column, this.columns.length - 1);
  }
}
