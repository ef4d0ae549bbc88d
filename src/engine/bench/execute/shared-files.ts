import path from "node:path";
import { isLeftOut } from "../fixture/fixture-files.ts";
import { isOfTool, changedFiles, stampFiles, type FileStamps } from "../fixture/modules-stamps.ts";
import type { Fixture } from "../suite/suite.ts";

/**
 * The files that all copies of a bench share: the fixture they are made from and the packages they link. No run may
 * change them.
 */
export class SharedFiles {
  readonly #folders: readonly Watched[];

  private constructor(folders: readonly Watched[]) {
    this.#folders = folders;
  }

  /** Records their present state. */
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
