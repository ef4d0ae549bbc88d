import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { recordedSuiteIn } from "../../engine/cli/rules/select-suite.ts";

/**
 * Replaces purser's own tasks, with checks of several seconds each, by three small ones, for tests that
 * measure many rounds. The benchmark test covers that purser's own tasks are found, replayed and checked from
 * the packed extension.
 *
 * @param extension path of purser's installed extension
 */
export async function useSmallSuite(extension: string): Promise<void> {
  for (const part of ["golden", "fixture"]) await rm(join(extension, part), { recursive: true });
  await recordedSuiteIn(extension, ["01-sum", "two", "three"]);
}

/** Leaves each agent two of purser's own tasks, unchanged, and their checks run. @param extension as above */
export async function keepTwoTasks(extension: string): Promise<void> {
  const folder = join(extension, "golden", "tasks");
  for (const name of await readdir(folder, { recursive: true }))
    if (/0[3-9]-[^/\\]*$/u.test(name)) await rm(join(folder, name));
}
