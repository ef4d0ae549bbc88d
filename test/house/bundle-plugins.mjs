/** What esbuild is told besides its options, for one kind of bundle or another. See `esbuild.mjs`. */
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/**
 * Has a bundle ask for VS Code's interface once. Otherwise each of our files that imports it would ask anew, which costs a look
 * at the disk, and copy its few hundred names: together most of the time that loading the extension took. What is made here
 * has no names of its own to copy; they are its prototype's.
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
 * Escapes what the bundler leaves as it is, characters in expressions and raw texts that expressions are made of: one of them, and all of the
 * bundle takes two bytes a character in memory for as long as it runs.
 */
export const plainText = (file) => ({
  name: "plain-text",
  setup(bundle) {
    bundle.onEnd(async ({ errors }) => {
      if (errors.length > 0) return;
      const text = await readFile(file, "utf8");
      const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      writeFileSync(file, text.replaceAll(/[^\0-\x7f]/g, escaped));
    });
  },
});

/** A panel's styles are texts to the bundler, which leaves their line breaks and comments in: a tenth of what is our own in a panel. */
export const smallStyles = {
  name: "small-styles",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]src[\\/]webview[\\/].*\.ts$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, "utf8")).replaceAll(/\bcss`[^`]*`/g, (style) =>
        style
          .replaceAll(/\/\*.*?\*\//gs, "")
          .replaceAll(/\s+/g, " ")
          .replaceAll(/ ?([{};]) ?/g, "$1"),
      ),
      loader: "ts",
    }));
  },
};
