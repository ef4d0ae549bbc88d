import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { spawnLauncher, type SpawnInput } from "./launch.ts";
import { ensurePrivateFolder } from "../../base/private-files.ts";
import type { PurserPaths } from "../../base/paths.ts";

/**
 * Minimum time between two starts, as hooks come by the dozen and starting takes a while. Shorter if one has
 * served and ended since. Milliseconds.
 */
const minGap = { started: 10_000, ended: 1000 };
/**
 * Time before waiting again for a service that did not start in time. Calls in between are not judged.
 * Milliseconds.
 */
const retryDelay = 60_000;
/** Time before offering the same successor again. Milliseconds. */
const offeredApart = 600_000;
/** Content of the stamp file then. */
const late = "late";

/**
 * In a separate process, unless a hook did so a moment ago. If several services start, one remains. Returns whether it can be expected soon: after a
 * late start, no prompt waits for the next one.
 */
export async function beginService(
  input: Omit<SpawnInput, "execPath" | "isElectron" | "isSuccessor"> & { readonly now: number },
): Promise<boolean> {
  const { home, now } = input;
  if (!ensurePrivateFolder(home.folder).ok) return false;
  // A stamp later than now is invalid: the clock was set back since.
  const { at, isLate } = readStamp(home);
  const isWithin = (time: number) => now >= at && now - at < time;
  const isExpected = !isLate || !isWithin(retryDelay);
  const hasServed = (statSync(home.record, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity) > at;
  if (isWithin(hasServed ? minGap.ended : minGap.started)) return isExpected;
  writeStamp(home, isExpected ? "" : late);
  const { execPath, versions } = process;
  const isElectron = versions["electron"] !== undefined;
  // A running service that does not accept hooks may be an older one, which cannot be asked from here.
  const started = await spawnLauncher({ ...input, execPath, isElectron, isSuccessor: true })();
  return started.ok && isExpected;
}

/** The successor checks itself whether the running service is older. Repeated only after a while for the same two builds. */
export async function offerSuccessor(
  input: Omit<SpawnInput, "execPath" | "isElectron" | "isSuccessor"> & { readonly now: number },
  builds: string,
): Promise<void> {
  const { home, now } = input;
  const stamp = path.join(home.folder, "hook-successor");
  const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  if (Math.abs(now - last) < offeredApart && readFileSync(stamp, "utf8") === builds) return;
  writeFileSync(stamp, builds, { mode: 0o600 });
  const { execPath, versions } = process;
  const isElectron = versions["electron"] !== undefined;
  await spawnLauncher({ ...input, execPath, isElectron, isSuccessor: true })();
}

/** The service has ended: the next hook may start another one at once. */
export function forgetStart(home: PurserPaths): void {
  try {
    rmSync(stampOf(home), { force: true });
  } catch (error) {
    // The folder may no longer be written: then hooks wait until the start is long ago.
    rethrowUnlessSystemError(error);
  }
}

export function noteLate(home: PurserPaths): void {
  writeStamp(home, late);
}

function readStamp(home: PurserPaths): { readonly at: number; readonly isLate: boolean } {
  const stamp = stampOf(home);
  try {
    return { at: statSync(stamp).mtimeMs, isLate: readFileSync(stamp, "utf8") === late };
  } catch (error) {
    rethrowUnlessSystemError(error);
    return { at: -Infinity, isLate: false };
  }
}

function writeStamp(home: PurserPaths, text: string): void {
  writeFileSync(stampOf(home), text, { mode: 0o600 });
}

function stampOf({ folder }: PurserPaths): string {
  return path.join(folder, "hook-start");
}
