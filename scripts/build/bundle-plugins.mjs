/** esbuild plugins for particular bundles. See `esbuild.mjs`. */
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { transform } from "esbuild";

/**
 * Makes a bundle load VS Code's API once. Otherwise each of our files that imports it would load it again, which costs a disk access, and
 * copy its few hundred names: together most of the time that loading the extension took. The generated module has no own names to copy; they
 * are on its prototype.
 */
export const editorOnce = {
  name: "editor-once",
  setup(bundle) {
    const namespace = "editor-once";
    bundle.onResolve({ filter: /^vscode$/ }, ({ path: name, ...asked }) =>
      asked.namespace === namespace ? { path: name, external: true } : { path: name, namespace },
    );
    bundle.onLoad({ filter: /^vscode$/, namespace }, () => ({
      contents: 'module.exports = Object.create(require("vscode"));',
    }));
  },
};

/**
 * Escapes the non-ASCII characters that the bundler leaves as they are, in regular expressions and raw texts that become such: with a single
 * one, a whole file takes two bytes per character in memory for as long as its program runs.
 */
export const plainText = {
  name: "plain-text",
  setup(bundle) {
    bundle.onEnd(async ({ errors, metafile }) => {
      if (errors.length > 0) return;
      const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith(".cjs"))) {
        const text = await readFile(file, "utf8");
        const plain = text.replaceAll(/[^\0-\x7f]/g, escaped);
        if (plain !== text) writeFileSync(file, plain);
      }
    });
  },
};

/** Minifies the panels' style sheet, which is a text to the bundler. */
export const smallStyles = {
  name: "small-styles",
  setup(bundle) {
    bundle.onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const { target } = bundle.initialOptions;
      const sheet = await readFile(file, "utf8");
      const { code } = await transform(sheet, { loader: "css", minify: true, target });
      return { contents: code, loader: "text" };
    });
  },
};

/**
 * Leaves out of the MCP server what it never runs, 130 kB: the checks of what a client's user fills in, since purser asks for nothing, and
 * schemas written with an older zod.
 */
export const smallMcp = {
  name: "small-mcp",
  setup(bundle) {
    bundle.onLoad(
      { filter: /@modelcontextprotocol[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ },
      () => ({
        contents: "export class AjvJsonSchemaValidator {}",
      }),
    );
    bundle.onLoad({ filter: /node_modules[\\/]zod-to-json-schema[\\/].*[\\/]index\.js$/ }, () => ({
      contents: "export function zodToJsonSchema() { throw new Error('not bundled'); }",
    }));
  },
};
