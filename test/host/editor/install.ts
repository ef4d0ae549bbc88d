import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cachedFolder } from "../cache-folder.ts";
import { fetchPackage, npm } from "../npm.ts";
import { editors } from "../pinned-packages.ts";
import type { EditorChoice } from "../pinned-packages.ts";

/** Large parts of the server that these tests never use: the bundled chat agent and its dependencies. */
const unused = [
  "extensions/copilot",
  "extensions/mermaid-markdown-features",
  "node_modules/@github",
  "node_modules/@microsoft/mxc-sdk",
];

/** Installs a VS Code server into the cache, once, and returns the folder that holds `out/server-main.js`. */
export async function installEditor(choice: EditorChoice, cache: string): Promise<string> {
  const editor = editors[choice];
  return cachedFolder({
    cache,
    name: `vscode-${editor.version}`,
    async build(draft) {
      const unpacked = await fetchPackage(editor, draft);
      const server = join(unpacked, "lib", "vscode");
      // Its own shrinkwrap pins the rest. No native build is needed: a missing one is only logged.
      await npm(server, "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund");
      for (const part of unused) await rm(join(server, part), { recursive: true, force: true });
      for (const part of [
        "bin",
        "extensions",
        "node_modules",
        "out",
        "package.json",
        "product.json",
        "resources",
      ]) {
        await rename(join(server, part), join(draft, part));
      }
      await rm(unpacked, { recursive: true });
    },
  });
}
