import type { TestContext } from "node:test";

/** The user that owns nothing: `nobody` on Linux. Any other than root would do. */
const nobody = 65_534;

/**
 * Runs `look`, which must not wait for anything, without the rights of root, who may read everything. Where that cannot
 * be done the test is skipped, with its reason.
 */
export function asOrdinaryUser(t: TestContext, look: () => void): void {
  const { geteuid, seteuid } = process;
  if (geteuid === undefined || seteuid === undefined) t.skip("this system has no file permissions to test");
  else if (geteuid() !== 0) look();
  else if (!becomes(seteuid, nobody)) t.skip("root may not become another user here");
  else {
    try {
      look();
    } finally {
      seteuid(0);
    }
  }
}

function becomes(seteuid: (id: number) => void, id: number): boolean {
  try {
    seteuid(id);
    return true;
  } catch {
    return false;
  }
}
