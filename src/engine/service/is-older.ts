import { compareVersions } from "../base/text/version-order.ts";
import type { Age } from "./build-stamp.ts";

/**
 * Whether one purser is older than another: by version, and within a version by build time, if the builds differ. At most one of two is
 * older, so they never take turns.
 */
export function isOlder(one: Age, other: Age): boolean {
  const order = compareVersions(one.version, other.version);
  if (order !== 0) return order < 0;
  if (other.build === null || one.build?.hash === other.build.hash) return false;
  return one.build === null || one.build.builtAt < other.build.builtAt;
}
