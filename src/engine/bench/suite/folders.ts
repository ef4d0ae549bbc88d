import { type Suite } from "./suite.ts";
import path from "node:path";
import { existsSync } from "node:fs";

export interface SuitePaths {
  readonly folder: string;
  readonly fixture: string;
  readonly origin: Suite["origin"];
  /** False by default. */
  readonly installScripts?: boolean;
  /** The project that the suite is in, for tasks that begin at its commits. */
  readonly workspace?: string;
}

/**
 * The suite shipped with purser, next to its bundles.
 * @param dist the folder of the bundles
 */
export function bundledSuite(dist: string): SuitePaths {
  return suiteBelow(path.join(dist, ".."));
}

/** The same suite in the source repository. @param engine the folder `src/engine` */
export function sourceSuite(engine: string): SuitePaths {
  return suiteBelow(path.join(engine, "../.."));
}

function suiteBelow(root: string): SuitePaths {
  return { folder: path.join(root, "golden"), fixture: path.join(root, "fixture"), origin: "built-in" };
}

export function workspaceSuiteFolder(workspace: string): string {
  return path.join(workspace, ".purser", "golden");
}

/** The file that makes a folder a suite. */
export const suiteName = "suite.json";

/** Whether a workspace has a suite; drafts alone do not count. */
export function hasSuite(workspace: string): boolean {
  return existsSync(path.join(workspaceSuiteFolder(workspace), suiteName));
}
