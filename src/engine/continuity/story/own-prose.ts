/** A text without code and without quotations, which are other people's words. */
export function ownProse(text: string): string {
  return text.replaceAll(/```[\s\S]*?(?:```|$)/gu, "\n").replaceAll(/^(?: {4}| {0,3}[\t>]).*/gmu, "");
}
