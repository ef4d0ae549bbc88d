/**
 * Returns a text without elements such as `<reminder>…</reminder>`. A mark without an end stays, and ends of its
 * name are not looked for again.
 * @param opening an expression for the marks that open them, with the name as its first group
 */
export function withoutElements(text: string, opening: RegExp): string {
  const unclosed = new Set<string>();
  let rest = "";
  let end = 0;
  for (const { index, 0: mark, 1: name = "" } of text.matchAll(opening)) {
    if (index < end || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const at = text.indexOf(closing, index + mark.length);
    if (at === -1) {
      unclosed.add(name);
      continue;
    }
    rest += text.slice(end, index);
    end = at + closing.length;
  }
  return rest + text.slice(end);
}
