import path from "node:path";
import type { SuitePaths } from "./load-suite.ts";

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
