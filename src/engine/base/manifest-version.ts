import { readFileSync } from "node:fs";

/** Returns the version in a manifest. */
export function versionIn(manifest: unknown): string {
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}

/** Returns the version in a `package.json`. @throws if it cannot be read */
export function packageVersion(file: string): string {
  return versionIn(JSON.parse(readFileSync(file, "utf8")));
}
