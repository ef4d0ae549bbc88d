import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

/** A new folder that other users may read, removed after the test. */
export function scratchFolder(t: Pick<TestContext, "after">): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "purser-test-")));
  chmodSync(folder, 0o755);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
