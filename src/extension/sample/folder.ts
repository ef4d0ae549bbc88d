import { lstat, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../engine/base/error-code.ts";
import { beatInterval, ownerOf, ownerSchema, stateOf } from "../../engine/base/lock/owner.ts";
import { parseJson } from "../../engine/base/parse-json.ts";
import type { Machine } from "../../engine/base/process/machine.ts";
import type { Clock } from "../../engine/base/timing/clock.ts";
import { samplePrefix } from "./prefix.ts";

export interface FolderPorts {
  /** The system's temporary folder. */
  readonly temporary: string;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
}

const ownerFile = "owner.json";
/** A folder without an owner is being made, or was left by a process killed meanwhile. Milliseconds. */
const longestMaking = 60_000;

/** A sample's folder, closed to other users, until it is removed. */
export interface SampleFolder {
  readonly path: string;
  /** Resolves when nothing of it is left; what another process still holds is removed at a later start. */
  remove(): Promise<void>;
}

/** Creates a folder that shows whose it is, and that its owner lives. */
export async function makeFolder({ temporary, pid, machine }: FolderPorts): Promise<SampleFolder> {
  // Only its owner can read it: the system creates it with mode 0700.
  const folder = await mkdtemp(path.join(temporary, samplePrefix));
  const file = path.join(folder, ownerFile);
  await writeFile(file, JSON.stringify(ownerOf(pid, machine)), { mode: 0o600 });
  const beat = setInterval(() => {
    const now = new Date();
    // A folder that somebody removed has no sign of life to renew.
    utimes(file, now, now).catch((error: unknown) => errorCode(error));
  }, beatInterval);
  beat.unref();
  return {
    path: folder,
    remove: async () => {
      clearInterval(beat);
      await removeFolder(folder);
    },
  };
}

/** Removes the folders of samples whose window is gone: it was killed, or the machine was. Returns how many. */
export async function removeLeftFolders(ports: FolderPorts): Promise<number> {
  const names = await namesIn(ports.temporary);
  let removed = 0;
  for (const name of names.filter((each) => each.startsWith(samplePrefix))) {
    const folder = path.join(ports.temporary, name);
    if (!(await isLeft(folder, ports))) continue;
    await removeFolder(folder);
    removed += 1;
  }
  return removed;
}

/** A link, or another user's folder, is never followed nor removed. */
async function isLeft(folder: string, { machine, clock }: FolderPorts): Promise<boolean> {
  try {
    const found = await lstat(folder);
    const isOwn = process.getuid === undefined || found.uid === process.getuid();
    if (!found.isDirectory() || !isOwn) return false;
    const file = path.join(folder, ownerFile);
    const owner = ownerSchema.safeParse(parseJson((await textOf(file)) ?? ""));
    if (!owner.success) return clock.now() - found.mtimeMs > longestMaking;
    const silence = clock.now() - (await stat(file)).mtimeMs;
    return stateOf(owner.data, machine, silence) === "gone";
  } catch (error) {
    errorCode(error);
    return false;
  }
}

/** Retries, since a service that is ending may still write. */
async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch (error) {
    // Somebody holds a file of it: the next start tries again.
    errorCode(error);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    errorCode(error);
    return [];
  }
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
