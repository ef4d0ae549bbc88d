import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { FixtureManifest } from "./fixture-manifest.ts";
import { sha256 } from "./sha256.ts";

/**
 * What stands in a fixture's folder and is not of it: what was installed, what git keeps, databases, and `BUGS.md`, which tells what is
 * wrong with it. None of these is frozen, and none is ever in a copy.
 */
export function isLeftOut(relative: string): boolean {
  const parts = relative.split("/");
  return (
    parts.some((part) => part === "node_modules" || part === ".git" || part === ".DS_Store") ||
    relative === "BUGS.md" ||
    /\.(?:db|sqlite3?)(?:-(?:journal|wal|shm))?$/u.test(relative)
  );
}

/** Anything but a file or a folder: a fixture has none, and no file's hash is like this. */
const notAFile = "not a file";

/** The hashes of a fixture's files as they are. @throws the system's error where a file cannot be read */
export async function readFixtureFiles(folder: string): Promise<FixtureManifest> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const relative = path.relative(folder, file).replaceAll(path.sep, "/");
    if (entry.isDirectory() || isLeftOut(relative)) continue;
    found.set(relative, entry.isFile() ? sha256(await readFixtureFile(file)) : notAFile);
  }
  return found;
}

/**
 * A file's content with lines that end as they do in the manifest, whatever git made of them on this machine. What has a NUL byte is no
 * text and stays as it is.
 */
export async function readFixtureFile(file: string): Promise<Buffer> {
  const content = await readFile(file);
  if (!content.includes(0x0d) || content.includes(0)) return content;
  // Latin-1 keeps every byte as it is.
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}
