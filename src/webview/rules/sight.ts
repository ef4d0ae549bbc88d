/** Any of it is within what scrolls around it. */
export function isInSight(part: Element, pane: Element | null): boolean {
  if (pane === null) return false;
  const [own, around] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  return own.bottom > around.top && own.top < around.bottom;
}

/** All of it is within what scrolls around it; or its beginning, where it is larger. */
export function isReadable(part: Element, pane: Element): boolean {
  const [own, around] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  // Places between two pixels are rounded.
  const isWhole = own.bottom <= around.bottom + 1 || own.height > around.height;
  return own.top >= around.top - 1 && isWhole;
}
