import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { build } from "esbuild";

/** The status bar item of the bare extension. */
export const bareItemId = "bench.bare";
/** Name in VS Code's list. Its folder sorts before purser's in the order in which VS Code starts extensions. */
export const bareName = "Bare Control";

/**
 * Packs the extension of `extension.ts`, with purser's activation event. Its start time is what any extension
 * takes: VS Code loads them in turn, and each one's time includes loading those before it.
 * @returns the package
 */
export async function packControl(folder: string, transcriptFile: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [path.join(import.meta.dirname, "extension.ts")],
    outfile: path.join(folder, "extension.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    minify: true,
    define: { transcriptFile: JSON.stringify(transcriptFile), itemId: JSON.stringify(bareItemId) },
  });
  const manifest = {
    name: "bare",
    publisher: "bench",
    version: "0.0.1",
    displayName: bareName,
    license: "MIT",
    main: "./extension.cjs",
    activationEvents: ["onStartupFinished"],
    extensionKind: ["workspace"],
    engines: { vscode: "^1.100.0" },
    files: ["extension.cjs"],
  };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(folder, "README.md"), "A control for a benchmark.\n");
  const packagePath = path.join(folder, "bare.vsix");
  await createVSIX({
    cwd: folder,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
