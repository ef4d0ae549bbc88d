import { randomUUID } from "node:crypto";
import { writeAtomically } from "../base/atomic-file.ts";
import { nodeFiles } from "../base/file-port.ts";
import { readFixtureFiles } from "./fixture-files.ts";
import { manifestHash, type FixtureManifest } from "./fixture-manifest.ts";

/**
 * Writes down what a fixture's files are, from which on it is frozen: a suite whose fixture differs is refused. Baselines begin anew.
 *
 * @throws the system's error where something cannot be read or written
 */
export async function freezeFixture(
  fixture: string,
  manifest: string,
): Promise<{ files: number; hash: string }> {
  const found = await readFixtureFiles(fixture);
  const bytes = Buffer.from(manifestText(found));
  await writeAtomically(manifest, bytes, { files: nodeFiles, unique: () => randomUUID().slice(0, 8) });
  return { files: found.size, hash: manifestHash(found) };
}

/** A line a file, in the order of names, so that git shows what changed. */
function manifestText(found: FixtureManifest): string {
  const files = Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify({ schema: 1, files }, null, 2)}\n`;
}
