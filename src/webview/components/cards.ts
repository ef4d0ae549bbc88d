import { html, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/text/local-format.ts";

/** Shows a few figures side by side, each below its name. @param kind an additional CSS class */
export function cards(
  figures: readonly (readonly [name: string, value: number])[],
  kind = "",
): TemplateResult {
  return html`<dl class="cards ${kind}">
    ${figures.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="number">${wholeNumber(value)}</dd>
        </div>`,
    )}
  </dl>`;
}
