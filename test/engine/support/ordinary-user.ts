import type { TestContext } from "node:test";

/** A user that owns nothing: `nobody` on Linux. Any user other than root would do. */
const nobody = 65_534;

/**
 * Runs the synchronous `look` without root's rights, since root may read everything. Where that is impossible it skips
 * the test with a reason, and returns false.
 */
export function asOrdinaryUser(t: TestContext, look: () => void): boolean {
  const { geteuid, seteuid } = process;
  const isRoot = geteuid?.() === 0;
  if (geteuid === undefined || seteuid === undefined) {
    t.skip("this system has no file permissions to test");
    return false;
  }
  if (isRoot && !becomes(seteuid, nobody)) {
    t.skip("root may not become another user here");
    return false;
  }
  try {
    look();
  } finally {
    if (isRoot) seteuid(0);
  }
  return true;
}

function becomes(seteuid: (id: number) => void, id: number): boolean {
  try {
    seteuid(id);
    return true;
  } catch {
    return false;
  }
}
