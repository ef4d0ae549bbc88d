import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const draftPrefix = ".draft-";
const staleDraftAge = 24 * 60 * 60 * 1000; // ms

/** Where downloaded editors, browsers and fonts are kept between runs. */
export function hostCache(env: NodeJS.ProcessEnv, home: string): string {
  return env["PURSER_HOST_CACHE"] ?? join(home, ".cache", "purser-host");
}

/**
 * Returns the folder `name` in the cache, built once. It is built beside its place and renamed into it, so a folder
 * that is there is whole, and of two processes that race the slower one uses what the faster one built.
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
  const place = join(cache, name);
  if (existsSync(place)) return place;
  await mkdir(cache, { recursive: true });
  await removeStaleDrafts(cache);
  const draft = await mkdtemp(join(cache, draftPrefix));
  try {
    await build(draft);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}

/** A process killed while building leaves its draft behind. */
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
