import { existsSync } from "node:fs";
import path from "node:path";

/** Folder of a workspace's own suite. */
export function workspaceSuiteFolder(workspace: string): string {
  return path.join(workspace, ".purser", "golden");
}

/** The file that makes a folder a suite. */
export const suiteName = "suite.json";

/** Whether a workspace has a suite; drafts alone do not count. */
export function hasSuite(workspace: string): boolean {
  return existsSync(path.join(workspaceSuiteFolder(workspace), suiteName));
}
