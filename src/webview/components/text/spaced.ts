import { html, type TemplateResult } from "lit";

/**
 * Shows two parts with a space between them. Each has its own element: Chromium leaves a space beside a comment out of accessible names, and
 * lit puts a comment beside each value.
 */
export function spaced(first: unknown, second: unknown): TemplateResult {
  return html`<span>${first}</span> <span>${second}</span>`;
}
