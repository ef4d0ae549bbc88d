import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { recordedSuiteIn } from "../engine/cli/rules/select-suite.ts";

/**
 * Puts three small tasks in the place of purser's own, whose checks take seconds each: for what is measured over many rounds. That purser's
 * own tasks are found, replayed and checked from the packed extension is seen with a benchmark.
 *
 * @param extension where purser's extension is installed
 */
export async function useSmallSuite(extension: string): Promise<void> {
  for (const part of ["golden", "fixture"]) await rm(join(extension, part), { recursive: true });
  await recordedSuiteIn(extension);
}

/** Leaves two of purser's own tasks to each agent: they are as they are shipped, and their checks are run. @param extension as above */
export async function keepTwoTasks(extension: string): Promise<void> {
  const folder = join(extension, "golden", "tasks");
  for (const name of await readdir(folder, { recursive: true }))
    if (/0[3-9]-[^/\\]*$/u.test(name)) await rm(join(folder, name));
}
