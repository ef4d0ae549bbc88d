import { html, nothing, type TemplateResult } from "lit";
import { cleanText, cutMiddle } from "../../engine/base/text.ts";

/** A tooltip with more than this is no tooltip. Characters. */
const longestTitle = 1000;

/**
 * Text from a transcript: cleaned, cut in the middle, the whole of it in the tooltip, and of a direction of its own, so
 * that it cannot reorder what stands beside it.
 */
export function outside(text: string, length: number): TemplateResult {
  const whole = cutMiddle(cleanText(text), longestTitle);
  const shown = cutMiddle(whole, length);
  return html`<bdi title=${shown === whole ? nothing : whole}>${shown}</bdi>`;
}

/** The same where only plain text fits: an option, a label that is read out. */
export function outsideText(text: string, length: number): string {
  return cutMiddle(cleanText(text), length);
}

/** A path by its last folders, with the whole in the tooltip. @param name what to show of it */
export function outsidePath(path: string, name: string, length: number): TemplateResult {
  return html`<bdi title=${cutMiddle(cleanText(path), longestTitle)}>${outsideText(name, length)}</bdi>`;
}
