import { html, type TemplateResult } from "lit";
import { icon } from "../components/icon.ts";
import type { Actions } from "./actions.ts";

export function backTo(actions: Actions): TemplateResult {
  return html`<button class="tool back" title="Back to Compare (Escape)" @click=${() => actions.back()}>
    ${icon("back")}<span>Compare</span>
  </button>`;
}
