import { mkdtemp, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { namesIfReadable } from "../../engine/base/files.ts";
import { rethrowUnlessSystemError } from "../../engine/base/result.ts";
import { beatInterval, ownerOf } from "../../engine/base/lock.ts";
import {
  isSampleLeft,
  removeSample,
  sampleOwnerFile,
  type SamplePorts,
} from "../../engine/service/left-sample.ts";
import { samplePrefix } from "../editor/lazy-commands.ts";

export interface FolderPorts extends SamplePorts {
  /** The system's temporary folder. */
  readonly temporary: string;
  readonly pid: number;
}

/** A sample's folder, closed to other users, until it is removed. */
export interface SampleFolder {
  readonly path: string;
  /** Resolves when nothing of it is left; what another process still holds is removed at a later start. */
  remove(): Promise<void>;
}

/** Creates a folder that names its owner, and shows that the owner is alive. */
export async function makeFolder({ temporary, pid, machine }: FolderPorts): Promise<SampleFolder> {
  // Only its owner can read it: the system creates it with mode 0700.
  const folder = await mkdtemp(path.join(temporary, samplePrefix));
  const file = path.join(folder, sampleOwnerFile);
  await writeFile(file, JSON.stringify(ownerOf(pid, machine)), { mode: 0o600 });
  const beat = setInterval(() => {
    const now = new Date();
    // A folder that was removed has no sign of life to renew.
    utimes(file, now, now).catch(rethrowUnlessSystemError);
  }, beatInterval);
  beat.unref();
  return {
    path: folder,
    remove: async () => {
      clearInterval(beat);
      await removeSample(folder);
    },
  };
}

/**
 * Removes the folders of samples without a window, after the window or the machine was killed. Returns their
 * number.
 */
export async function removeLeftFolders(ports: FolderPorts): Promise<number> {
  const names = await namesIfReadable(ports.temporary);
  let removed = 0;
  for (const name of names.filter((each) => each.startsWith(samplePrefix))) {
    const folder = path.join(ports.temporary, name);
    if (!isSampleLeft(folder, ports)) continue;
    await removeSample(folder);
    removed += 1;
  }
  return removed;
}
