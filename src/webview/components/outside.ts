import { inLanguage } from "../../engine/base/text/in-language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { cleanText, shorten } from "../../engine/base/text/text.ts";

/** Maximum length of a tooltip. Characters. */
const maxTitleLength = 1000;

/**
 * Shows untrusted text: cleaned, shortened, and in full in the tooltip. It is isolated for text direction, so
 * that it cannot reorder the text beside it.
 */
export function outside(text: string, length: number): TemplateResult {
  const whole = shorten(cleanText(text), maxTitleLength);
  const shown = shorten(whole, length);
  return html`<bdi title=${shown === whole ? nothing : whole}>${shown}</bdi>`;
}

/** The same, with text between backticks as code. */
export function outsideWithCode(text: string, length: number): TemplateResult {
  const whole = shorten(cleanText(text), maxTitleLength);
  const shown = shorten(whole, length);
  const parts = shown.split(/`([^`]+)`/u);
  return html`<bdi title=${shown === whole ? nothing : whole}
    >${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</bdi
  >`;
}

/** Cleans and cuts text where only plain text fits: in an option, or in a label for screen readers. */
export function outsideText(text: string, length: number): string {
  return shorten(cleanText(text), length);
}

/** Shows a message of the service, in the user's language. */
export function said(text: string, length: number): TemplateResult {
  return outside(inLanguage(text), length);
}

/** The same as plain text. */
export function saidText(text: string, length: number): string {
  return outsideText(inLanguage(text), length);
}

/** Shows a path by its last folders, and in full in the tooltip. @param name the part to show */
export function outsidePath(path: string, name: string, length: number): TemplateResult {
  return html`<bdi title=${shorten(cleanText(path), maxTitleLength)}>${outsideText(name, length)}</bdi>`;
}
