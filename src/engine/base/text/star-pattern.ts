/**
 * Returns an expression for texts that have parts in their order, with anything between them: one star stands
 * between two parts. A part is found at its first place for good, so that a test takes linear time.
 * @param parts sources of expressions, without groups that capture
 */
export function starPattern(parts: readonly string[]): RegExp {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return new RegExp(`^${first}$`, "u");
  const between = rest.map((part, index) => `(?=(.*?${part}))\\${index + 1}`).join("");
  return new RegExp(`^${first}${between}.*${last}$`, "u");
}
