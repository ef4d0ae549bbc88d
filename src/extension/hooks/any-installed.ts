import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { rethrowUnlessSystemError } from "../../engine/base/result.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import { readEnvironment } from "../editor/settings.ts";

/**
 * Whether purser's hooks are in any agent's settings file. Each has a record, in a folder that outlives the
 * last one.
 */
export function hasHooks(): boolean {
  const { installedHooks } = purserPaths({ env: readEnvironment(), home: homedir() });
  try {
    return readdirSync(installedHooks).length > 0;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
