import path from "node:path";
import { mkdir, readdir, rm } from "node:fs/promises";
import { type Result, succeed } from "../../base/result.ts";
import type { Configuration } from "../configuration.ts";
import { isLeftOut } from "../fixture/fixture-files.ts";
import { copyFixture } from "../fixture/copy.ts";
import type { RunFolders } from "../drivers/driver.ts";
import { applyOverlay, installAgent } from "./install-agent.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { Fixture } from "../suite/suite.ts";
import { isOfTool, changedFiles, stampFiles, type FileStamps } from "../fixture/modules-stamps.ts";

/** Prefix of a bench's scratch folders: the holder of its lock may remove all of them. */
export function scratchPrefix(benchFolder: string): string {
  return `purser-bench-${sha256Hex(benchFolder).slice(0, 12)}-`;
}

/**
 * Makes the folder for one run: a copy of the fixture with the agent, its memory and the configuration's
 * files, next to home, temporary and configuration folders. The caller removes it, even on failure.
 */
export async function prepareWorkspace(
  root: string,
  {
    fixture,
    modules,
    configuration,
    definition,
  }: {
    readonly fixture: Pick<Fixture, "folder" | "manifest">;
    readonly modules: string | null;
    readonly configuration: Configuration;
    readonly definition: string;
  },
): Promise<Result<RunFolders>> {
  const folders = {
    root,
    // A neutral name: the agent sees it.
    copy: path.join(root, "project"),
    home: path.join(root, "home"),
    temporary: path.join(root, "tmp"),
    config: path.join(root, "config"),
  };
  for (const folder of [folders.home, folders.temporary, folders.config])
    await mkdir(folder, { recursive: true });
  const copied = await copyFixture({ fixture, to: folders.copy, modules });
  if (!copied.ok) return copied;
  await installAgent(folders.copy, configuration, definition);
  const overlaid = await applyOverlay(folders.copy, configuration.overlay);
  return overlaid.ok ? succeed(folders) : overlaid;
}

/** Removes a scratch folder. Retries, since a process that was just killed may still be writing. */
export async function removeWorkspace(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

export async function removeLeftovers(scratch: string, prefix: string): Promise<void> {
  await mkdir(scratch, { recursive: true });
  const names = await readdir(scratch);
  for (const name of names) if (name.startsWith(prefix)) await removeWorkspace(path.join(scratch, name));
}

/**
 * The files that all copies of a bench share: the fixture they are made from and the packages they link. No run may
 * change them.
 */
export class SharedFiles {
  readonly #folders: readonly Watched[];

  private constructor(folders: readonly Watched[]) {
    this.#folders = folders;
  }

  static async watch(fixture: Pick<Fixture, "folder">, modules: string | null): Promise<SharedFiles> {
    const places = [
      { name: "fixture", folder: fixture.folder, isLeftOut },
      ...(modules === null
        ? []
        : [
            {
              name: "node_modules",
              folder: modules,
              isLeftOut: isOfTool,
            },
          ]),
    ];
    const folders = places.map(async (place) => ({
      ...place,
      before: await stampFiles(place.folder, place.isLeftOut),
    }));
    return new SharedFiles(await Promise.all(folders));
  }

  /** Returns what has changed since, by name; empty if nothing has. */
  async damage(): Promise<string[]> {
    const changed = this.#folders.map(async ({ name, folder, isLeftOut: leftOut, before }) =>
      changedFiles(before, await stampFiles(folder, leftOut)).map((file) => path.posix.join(name, file)),
    );
    return (await Promise.all(changed)).flat();
  }
}

interface Watched {
  readonly name: string;
  readonly folder: string;
  readonly isLeftOut: (relative: string) => boolean;
  readonly before: FileStamps;
}
