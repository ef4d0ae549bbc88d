import type { TestContext } from "node:test";

/** The user that owns nothing: `nobody` on Linux. Any other than root would do. */
const nobody = 65_534;

/**
 * Runs `look`, which must not wait for anything, without the rights of root, who may read everything. Where that cannot
 * be done the test is skipped, with its reason, and false is answered.
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
