import { globSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "esbuild";
import { readRules } from "../../src/engine/guard/catalogue/read-rules.ts";

/** Puts the guard rules from YAML into a bundle as compressed JSON: programs read no YAML for them. See `catalogue/written-rules.ts`. */
export const writtenRules: Plugin = {
  name: "written-rules",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]guard[\\/]catalogue[\\/]written-rules\.ts$/ }, ({ path: file }) => {
      const folder = path.dirname(file);
      const names = globSync("**/*.yaml", { cwd: folder });
      const watched = {
        watchFiles: names.map((name) => path.join(folder, name)),
        watchDirs: [folder, ...new Set(names.map((name) => path.join(folder, path.dirname(name))))],
      };
      const rules = readRules(folder);
      if (!rules.ok) return { ...watched, errors: rules.detail.text.split("\n").map((text) => ({ text })) };
      return { ...watched, contents: moduleOf("writtenRules", rules.value), loader: "js" };
    });
  },
};

/** Returns a module that exports a value of JSON. It is compressed: as literals, the rules would take 25 kB more of the package. */
function moduleOf(name: string, value: unknown): string {
  const json = JSON.stringify(value);
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(json),
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  const compressed = brotliCompressSync(json, { params }).toString("base64");
  return `import { brotliDecompressSync } from "node:zlib";
const compressed = Buffer.from("${compressed}", "base64");
export const ${name} = JSON.parse(brotliDecompressSync(compressed).toString());
`;
}
