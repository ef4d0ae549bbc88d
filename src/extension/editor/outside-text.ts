import { inWords, type Sentence } from "../../engine/base/language.ts";
import { cleanText, shorten } from "../../engine/base/text.ts";

export { inMarkdown } from "../../engine/base/text.ts";

// Titles, folders, branches and model names come from files that anybody may have written. Each part of the editor's
// interface treats some characters as markup; each has its own way of escaping them.

/** For a notification, where `[label](command:…)` would be a link. */
export function inMessage(text: string, length: number): string {
  return shorten(cleanText(text), length).replaceAll("](", "] (");
}

/**
 * A message of the service or the engine, such as the reason of a failure, in the user's language, for a
 * notification.
 */
export function saidInMessage(sentence: Sentence, length: number): string {
  return inMessage(inWords(sentence), length);
}

/** For a quick pick and the status bar, where `$(name)` would be an icon. */
export function withoutIcons(text: string, length: number): string {
  return shorten(cleanText(text), length).replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/gu, "\\$&");
}
