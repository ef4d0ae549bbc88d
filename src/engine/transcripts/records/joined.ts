/**
 * Joins the parts of a long-lived name by spaces. A template would keep a node for each part beside the text, which together
 * take more memory than the name.
 */
export function joined(...parts: readonly (string | number)[]): string {
  return parts.join(" ");
}
