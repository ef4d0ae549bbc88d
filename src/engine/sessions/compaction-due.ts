/** Less room than this is shown as none. Tokens. */
const leastRoom = 500;

/** Whether a compaction comes with the next call, so that neither tokens nor turns until then say more. @param headroom tokens */
export function isDue(headroom: number): boolean {
  return headroom < leastRoom;
}
