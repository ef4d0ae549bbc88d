/** Whether any of an element is visible in its scrolling pane. */
export function isInSight(part: Element, pane: Element | null): boolean {
  if (pane === null) return false;
  const [own, around] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  return own.bottom > around.top && own.top < around.bottom;
}

/** Whether all of an element is visible in its scrolling pane, or its start if it is larger than the pane. */
export function isReadable(part: Element, pane: Element): boolean {
  const [own, around] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  // Allow for rounding of fractional pixels.
  const isWhole = own.bottom <= around.bottom + 1 || own.height > around.height;
  return own.top >= around.top - 1 && isWhole;
}
