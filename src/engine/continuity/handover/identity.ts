/** A document's id in its first line and its file's name: short, as a person types it. */
const idPattern = /^h[\da-f]{8}$/u;

/** Makes an id from random hexadecimal digits, such as those of a UUID. */
export function handoverId(random: string): string {
  return `h${random
    .replaceAll(/[^\da-f]/giu, "")
    .toLowerCase()
    .padEnd(8, "0")
    .slice(0, 8)}`;
}

export function isHandoverId(text: string): boolean {
  return idPattern.test(text);
}

/** A prompt that hands a document over names it within so many characters. */
const head = 300;

/**
 * Returns the id of the document that a prompt starts with, or asks the agent to read. Null for any other
 * prompt. Only the start counts: a later mention is quoted text.
 */
export function handoverIn(prompt: string): string | null {
  return /^\W{0,8}Handover (h[\da-f]{8})\b/u.exec(prompt.slice(0, head))?.[1] ?? null;
}
