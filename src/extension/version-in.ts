/** The version that a manifest tells. */
export function versionIn(manifest: unknown): string {
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}
