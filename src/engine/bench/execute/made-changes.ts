import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Configuration } from "../configuration.ts";
import { readFixtureFiles } from "../fixture/files.ts";
import { compareManifest } from "../fixture/manifest.ts";
import { checkFolder } from "./run-check.ts";
import type { FileChange } from "../state/stored-trajectory.ts";
import type { Fixture } from "../suite/suite.ts";

/** Folders of what the run was given, or of tools' output: changes there are not part of the work. */
const ownFolders = [".claude/", `${checkFolder}/`, ".purser/", "dist/", "coverage/"];
/** A longer file is no work of one task. Bytes. */
const longestFile = 100_000;
const mostFiles = 100;

/** Returns the files of a copy that differ from the fixture, as text; binary and very long files are left out. */
export async function madeChanges(
  copy: string,
  fixture: Pick<Fixture, "manifest">,
  overlay: Configuration["overlay"],
): Promise<FileChange[]> {
  const difference = compareManifest(fixture.manifest, await readFixtureFiles(copy));
  if (difference === null) return [];
  const given = new Set(overlay.map(({ path: filePath }) => filePath));
  const isWork = (filePath: string) =>
    !given.has(filePath) && !ownFolders.some((folder) => filePath.startsWith(folder));
  const written = [...difference.changed, ...difference.extra].filter(isWork).sort().slice(0, mostFiles);
  const changes: FileChange[] = difference.missing
    .filter(isWork)
    .map((filePath) => ({ path: filePath, text: null }));
  for (const filePath of written) {
    const file = path.join(copy, filePath);
    if ((await stat(file)).size > longestFile) continue;
    const content = await readFile(file);
    if (!content.includes(0)) changes.push({ path: filePath, text: content.toString("utf8") });
  }
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}
