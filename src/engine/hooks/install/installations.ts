import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { makeFolder } from "../../base/disk/make-folder.ts";
import { rethrowUnlessSystemError } from "../../base/error-code.ts";
import { isSamePath } from "../../base/disk/same-path.ts";
import { writePrivateFile } from "../../base/disk/private-place.ts";
import type { PurserPaths } from "../../base/disk/home.ts";

/** An installation of purser that hooks may point to: an editor's extension, or a package. A user's editors share their hooks. */
const installationSchema = z.object({
  /** The extension's folder, or the package's. */
  folder: z.string(),
});

/**
 * Registers an installation, so that uninstalling this or another one can find it.
 * @throws the system's error
 */
export function noteInstallation(home: PurserPaths, folder: string): void {
  const file = fileOf(home, folder);
  if (existsSync(file)) return;
  makeFolder(home.installations, 0o700);
  writePrivateFile(file, `${JSON.stringify({ folder })}\n`);
}

/** Unregisters an installation that is being removed. */
export function forgetInstallation(home: PurserPaths, folder: string): void {
  rmSync(fileOf(home, folder), { force: true });
}

/**
 * Returns the shims of other installations that still exist.
 * @param folder the installation that asks
 */
export function otherShims(home: PurserPaths, folder: string): string[] {
  return foldersIn(home).flatMap((other) => {
    // Installations in the same parent folder are other versions of the same extension, which the editor removes with it.
    if (isSamePath(other, folder) || isSamePath(path.dirname(other), path.dirname(folder))) return [];
    const shim = path.join(other, "dist", "hook.cjs");
    return existsSync(shim) ? [shim] : [];
  });
}

function foldersIn({ installations }: PurserPaths): string[] {
  return namesIn(installations).flatMap((name) => {
    try {
      const text = readFileSync(path.join(installations, name), "utf8");
      const { success, data } = installationSchema.safeParse(JSON.parse(text));
      return success ? [data.folder] : [];
    } catch (error) {
      if (!(error instanceof SyntaxError)) rethrowUnlessSystemError(error);
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}

function fileOf({ installations }: PurserPaths, folder: string): string {
  const name = sha256Hex(folder, 16);
  return path.join(installations, `${name}.json`);
}
