import type { InstallContext } from "../../../../../src/engine/hooks/install/installer.ts";
import type { MemoryDisk } from "./memory-disk.ts";

export const home = "/home/nana";

/** A context of installing hooks in one user's home and project, on a disk in memory. */
export function contextOn(disk: MemoryDisk, change: Partial<InstallContext> = {}): InstallContext {
  let count = 0;
  return {
    env: {},
    home,
    project: "/work/harbor",
    disk,
    address: null,
    platform: "linux",
    uid: 1000,
    posting: "always",
    isSame: Object.is,
    records: `${home}/.purser/installed-hooks`,
    unique: () => `t${(count += 1)}`,
    run: () => Promise.resolve(null),
    readText: (file) => disk.text(file) ?? null,
    list: () => [],
    shim: { path: "/ext/purser-1/dist/hook.cjs", runtime: "node" },
    isInRepository: () => false,
    ...change,
  };
}
