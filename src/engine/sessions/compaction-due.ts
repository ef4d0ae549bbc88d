/** Less room than this is shown as zero. Tokens. */
const leastRoom = 500;

/**
 * Whether a compaction comes with the next call, so that the remaining tokens and turns carry no further information.
 * @param headroom tokens
 */
export function isDue(headroom: number): boolean {
  return headroom < leastRoom;
}
