import { firstFile, pathsIn } from "../../../base/disk/search.ts";
import { sessionIdOf } from "../rollout-name.ts";

/** `sessions/<year>/<month>/<day>`. */
const depth = 3;

/** Finds the rollout of a session or subagent: the active one before the archived one, the plain before the compressed. */
export async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  for (const root of roots) {
    const rollouts = (await rolloutsBelow([root])).filter((file) => sessionIdOf(file) === id);
    const file = await firstFile(rollouts.toSorted((a, b) => Number(isCold(a)) - Number(isCold(b))));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Opens nothing with an extension: it is no folder. */
async function rolloutsBelow(folders: readonly string[], level = 0): Promise<string[]> {
  const paths = await pathsIn(folders);
  const rollouts = paths.filter((file) => sessionIdOf(file) !== undefined);
  const deeper = level < depth ? paths.filter((file) => !/\.\w+$/u.test(file)) : [];
  return deeper.length === 0 ? rollouts : [...rollouts, ...(await rolloutsBelow(deeper, level + 1))];
}

function isCold(file: string): boolean {
  return file.endsWith(".zst");
}
