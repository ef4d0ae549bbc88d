import { html, svg, type TemplateResult } from "lit";
import type { Cell } from "../table/table-rows.ts";

/** Pixels. */
const [width, height, inset] = [110, 22, 3];

/**
 * A line from zero through a row's values over time, for a cell of a table.
 *
 * @param values two or more
 * @param label the values in words
 */
export function sparkCell(values: readonly number[], label: string): Cell {
  const last = values.at(-1) ?? 0;
  const largest = Math.max(...values, Number.MIN_VALUE);
  const x = (index: number) => inset + ((width - 2 * inset) * index) / (values.length - 1);
  const y = (value: number) => height - inset - ((height - 2 * inset) * value) / largest;
  const points = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  const content = (): TemplateResult =>
    html`<svg class="spark" role="img" width=${width} height=${height}>
      <title>${label}</title>
      ${svg`<path class="line" d="M${points.join("L")}" />
      <circle class="end" cx=${x(values.length - 1).toFixed(1)} cy=${y(last).toFixed(1)} r="2.5" />`}
    </svg>`;
  return { content, sort: last };
}
