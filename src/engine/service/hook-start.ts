import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { spawnLauncher, type SpawnInput } from "./launch.ts";
import { ensurePrivateFolder } from "./private-place.ts";

/** Hooks come by the dozen, and a service takes a while to begin. Milliseconds. */
const startsApart = 10_000;

/** Begins the service in a process of its own, unless a hook did so a moment ago. Of several that begin, one remains. */
export async function beginService(
  input: Omit<SpawnInput, "execPath" | "isElectron"> & { readonly now: number },
): Promise<void> {
  const { home, now } = input;
  if (!ensurePrivateFolder(home.folder).ok) return;
  const stamp = path.join(home.folder, "hook-start");
  const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  if (Math.abs(now - last) < startsApart) return;
  writeFileSync(stamp, "", { mode: 0o600 });
  const { execPath, versions } = process;
  await spawnLauncher({ ...input, execPath, isElectron: versions["electron"] !== undefined })();
}
