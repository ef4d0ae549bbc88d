import { readFileSync } from "node:fs";

/** The version that a manifest tells. */
export function versionIn(manifest: unknown): string {
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}

/** The version of the package whose `package.json` this is. @throws when it cannot be read */
export function packageVersion(file: string): string {
  return versionIn(JSON.parse(readFileSync(file, "utf8")));
}
