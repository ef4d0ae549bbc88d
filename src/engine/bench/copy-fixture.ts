import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { readFixtureFile } from "./fixture-files.ts";
import { sha256 } from "./sha256.ts";
import type { Fixture } from "./suite.ts";

export type CopyFault = "fixture_changed" | "not_copied";

/**
 * Copies a fixture into a folder that is made for it. Only what the manifest names is copied, and each file is held to its hash on the
 * way: what changed since the suite was loaded is in no copy.
 *
 * @param modules the folder of installed packages (`prepareFixtureModules`), linked as `node_modules`; null for none
 */
export async function copyFixture({
  fixture,
  to,
  modules,
}: {
  readonly fixture: Pick<Fixture, "folder" | "manifest">;
  readonly to: string;
  readonly modules: string | null;
}): Promise<Result<null, CopyFault>> {
  try {
    await mkdir(to, { recursive: true });
    for (const [relative, hash] of fixture.manifest) {
      const content = await readFixtureFile(path.join(fixture.folder, relative));
      if (sha256(content) !== hash) return fail("fixture_changed", `${relative} of the fixture was changed`);
      const file = path.join(to, relative);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content, { flag: "wx" });
    }
    // A junction needs no right to make links on Windows; elsewhere the word says nothing.
    if (modules !== null) await symlink(modules, path.join(to, "node_modules"), "junction");
    return succeed(null);
  } catch (error) {
    return fail("not_copied", `The fixture could not be copied to ${to} (${errorCode(error)})`);
  }
}
