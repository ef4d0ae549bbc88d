import { existsSync } from "node:fs";
import path from "node:path";

/** Where a workspace keeps a suite of its own. */
export function workspaceSuiteFolder(workspace: string): string {
  return path.join(workspace, ".purser", "golden");
}

/** What makes a folder a suite. */
export const suiteName = "suite.json";

/** Whether a workspace has a suite: drafts alone are none. */
export function hasSuite(workspace: string): boolean {
  return existsSync(path.join(workspaceSuiteFolder(workspace), suiteName));
}
