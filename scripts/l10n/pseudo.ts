/**
 * The pseudo-language `qps-ploc`: accented, 40 % longer, and in brackets. Text without accents is not translatable, and text without its last
 * bracket is cut.
 */
export const pseudoLanguage = "qps-ploc";

const plain = "ABCDEFGHIJKLMNOPRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const accented = "ÀƁÇÐÉƑĜĤÎĴĶĻḾÑÖÞŔŠŢÛṼŴẊÝŽàƀçðéƒĝĥîĵķļḿñöþɋŕšţûṽŵẋýž";

/** Placeholders, targets of links, and icons. */
const kept = /\{\w+\}|\]\([^)]*\)|\$\([\w~-]+\)/gu;

/** Returns a sentence in the pseudo-language; placeholders, targets of links and icons stay. */
export function pseudo(message: string): string {
  // `{0}k` and `{0} h` are figures.
  if (!/[A-Za-z]{2}/u.test(message.replaceAll(kept, ""))) return message;
  const text = message.replaceAll(new RegExp(`${kept.source}|[A-Za-z]`, "gu"), (found) => {
    const at = found.length === 1 ? plain.indexOf(found) : -1;
    return accented[at] ?? found;
  });
  return `[${text} ${longer(Math.ceil(message.length * 0.4))}]`;
}

/** Words of five letters, as long words in a narrow place are a question of their own. */
function longer(length: number): string {
  return "ĩĩĩĩĩ "
    .repeat(Math.ceil(length / 6))
    .slice(0, Math.max(1, length))
    .trimEnd();
}

export function pseudoBundle(messages: readonly string[]): Record<string, string> {
  return Object.fromEntries(messages.map((message) => [message, pseudo(message)]));
}
