import { cleanText, cutMiddle } from "../../engine/base/text/text.ts";

export { inMarkdown } from "../../engine/base/text/in-markdown.ts";

// Titles, folders, branches and model names come from files that anybody may have written. Each place of the editor reads
// some marks in a text as more than text; each has its own way of saying that they are not meant so.

/** For a notification, in which `[label](command:…)` would be a link. */
export function inMessage(text: string, length: number): string {
  return cutMiddle(cleanText(text), length).replaceAll("](", "] (");
}

/** For a list to pick from and for the status bar, in which `$(name)` would be an icon. */
export function withoutIcons(text: string, length: number): string {
  return cutMiddle(cleanText(text), length).replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/gu, "\\$&");
}
