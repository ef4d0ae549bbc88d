import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const draftPrefix = ".draft-";
const staleDraftAge = 24 * 60 * 60 * 1000; // ms

/** Cache folder for downloaded editors, browsers and fonts. */
export function hostCache(env: NodeJS.ProcessEnv, home: string): string {
  return env["PURSER_HOST_CACHE"] ?? join(home, ".cache", "purser-host");
}

/**
 * Returns the folder `name` in the cache, built once. It is built beside its final path and renamed to it, so an
 * existing folder is complete, and of two racing processes the slower one uses what the faster one built.
 */
export async function cachedFolder({
  cache,
  name,
  build,
}: {
  readonly cache: string;
  readonly name: string;
  readonly build: (draft: string) => Promise<void>;
}): Promise<string> {
  const path = join(cache, name);
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  await removeStaleDrafts(cache);
  const draft = await mkdtemp(join(cache, draftPrefix));
  try {
    await build(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
  return path;
}

/** Removes the drafts of processes that were killed while building. */
async function removeStaleDrafts(cache: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    if (!entry.startsWith(draftPrefix)) continue;
    const draft = join(cache, entry);
    const age = await stat(draft).then(
      (stats) => Date.now() - stats.mtimeMs,
      () => 0, // another process removed it first
    );
    if (age > staleDraftAge) await rm(draft, { recursive: true, force: true });
  }
}
