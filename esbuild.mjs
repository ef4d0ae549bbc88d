import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build, context } from "esbuild";

/**
 * Bundles purser's programs into `dist`: the extension, the CLI, the service, and the entry of every thread (`*-worker.ts` below
 * `src/engine`), the script of every panel, and the library that other programs import. `--production` minifies and leaves source maps out,
 * `--watch` builds again on every change, `--library FOLDER` builds the library alone, into a folder.
 */
const isProduction = process.argv.includes("--production");
const isWatched = process.argv.includes("--watch");

/** VS Code 1.100, the oldest we promise, runs extensions and their threads on Node 20; `engines` asks no more of the CLI. */
const target = "node20.19";

/** What a minified bundle may weigh, in bytes. */
const budgets = {
  extension: 100_000,
  "guard-host": 40_000,
  "guard-acts": 225_000,
  "bench-host": 40_000,
  cli: 26_000,
  "cli-slow-parts": 580_000,
  "cli-bench-parts": 760_000,
  // 1,500 bytes of it reckon how the rule book is after a change, so that it need not be read again.
  service: 508_000,
  // Drivers, execa, yaml and diff: a process of its own, begun when somebody asks for a benchmark.
  "bench-worker": 615_000,
  // The ledger, and the readers of all agents' files.
  "ledger-worker": 400_000,
  hook: 14_000,
  // What mends agents' settings and takes out of them what was put in: zod, the JSON that people write, and the installer.
  "hooks-upkeep": 180_000,
  "hooks-repair": 2_000,
  uninstall: 2_000,
  "status-line": 8_000,
  // `context-purser/budget`: most of it is zod.
  library: 150_000,
  "scan-worker": 32_000,
};
const budgetOfOthers = 300_000;
/** What a panel's script may: it is read and run before anything of it is seen. */
const budgetOfPanels = 225_000;

/** The Chromium of VS Code 1.100, which shows the panels. */
const panelTarget = "chrome132";

const workers = globSync("src/engine/**/*-worker.ts").map((source) => source.replaceAll(path.sep, "/"));
const programs = [
  { name: "extension", source: "src/extension/extension.ts" },
  { name: "service-access", source: "src/extension/service-access.ts" },
  { name: "ledger-host", source: "src/extension/ledger-panel.ts" },
  { name: "guard-host", source: "src/extension/guard-host.ts" },
  { name: "guard-acts", source: "src/extension/guard-acts.ts" },
  { name: "change-preview", source: "src/extension/change-preview.ts" },
  { name: "bench-host", source: "src/extension/bench-host.ts" },
  { name: "bench-panel-host", source: "src/extension/bench-panel.ts" },
  { name: "rules-host", source: "src/extension/rules-host.ts" },
  { name: "rules-panel-host", source: "src/extension/rules-panel.ts" },
  { name: "status-panel-host", source: "src/extension/status-panel.ts" },
  { name: "compare-host", source: "src/extension/compare-host.ts" },
  { name: "rent-parts", source: "src/extension/rent-parts.ts" },
  { name: "golden-new", source: "src/extension/golden-new.ts" },
  { name: "cli", source: "src/engine/cli/main.ts" },
  { name: "cli-slow-parts", source: "src/engine/cli/slow-parts.ts" },
  { name: "cli-bench-parts", source: "src/engine/cli/bench-parts.ts" },
  { name: "service", source: "src/engine/service/main.ts" },
  { name: "ask-claude", source: "src/engine/bench/drivers/ask-claude.ts" },
  { name: "hook", source: "src/engine/service/hook-shim.ts" },
  { name: "status-line", source: "src/engine/service/status-line.ts" },
  { name: "hooks-repair", source: "src/engine/service/hooks-repair-program.ts" },
  { name: "uninstall", source: "src/engine/service/uninstall-program.ts" },
  { name: "hooks-upkeep", source: "src/engine/service/hooks-upkeep.ts" },
  ...workers.map((source) => ({ name: path.basename(source, ".ts"), source })),
];

const librarySource = "src/engine/budget/library.ts";

const panels = globSync("src/webview/*/main.ts").map((source) => ({
  name: `${path.basename(path.dirname(source))}-panel`,
  source: source.replaceAll(path.sep, "/"),
}));

function optionsFor({ name, source }) {
  return {
    entryPoints: [source],
    outfile: `dist/${name}.cjs`,
    bundle: true,
    platform: "node",
    format: "cjs",
    target,
    banner: name === "cli" ? { js: "#!/usr/bin/env node" } : {},
    // The bundles are CommonJS, which has another word for a module's own place.
    define: { "import.meta.filename": "__filename" },
    // Its other form asks for its parts in a way that no bundler sees.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    minify: isProduction,
    sourcemap: isProduction ? false : "linked",
    legalComments: "none",
    // One bundle loads another with `require`: `import` would start Node's other loader first.
    supported: { "dynamic-import": false },
    metafile: true,
    logLevel: isWatched ? "info" : "warning",
    plugins: [
      budgetCheck(`dist/${name}.cjs`, budgets[name] ?? budgetOfOthers),
      editorOnce,
      apart,
      ...(name === "service" && isProduction ? [plainText(`dist/${name}.cjs`)] : []),
      ...(isWatched ? [stamped] : []),
    ],
  };
}

/** What `import "context-purser/budget"` loads: an ECMAScript module, with its types beside it. */
function libraryOptions(folder) {
  const place = path.relative(process.cwd(), path.resolve(folder)).replaceAll(path.sep, "/");
  const file = `${place}/budget.mjs`;
  return {
    entryPoints: [librarySource],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target,
    minify: isProduction,
    sourcemap: false,
    legalComments: "none",
    metafile: true,
    logLevel: isWatched ? "info" : "warning",
    plugins: [budgetCheck(file, budgets.library), declarations(`${place}/budget.d.mts`)],
  };
}

/** Writes the types of the library: its source has all of them in one file, and names none of another. */
const declarations = (file) => ({
  name: "declarations",
  setup(bundle) {
    bundle.onEnd(async () => {
      const { default: ts } = await import("typescript");
      const compilerOptions = { declaration: true, isolatedDeclarations: true, strict: true };
      const written = ts.transpileDeclaration(readFileSync(librarySource, "utf8"), {
        fileName: librarySource,
        compilerOptions,
        reportDiagnostics: true,
      });
      const faults = (written.diagnostics ?? []).map(({ messageText }) => ({ text: String(messageText) }));
      if (/^import /mu.test(written.outputText))
        faults.push({ text: `${file} imports types that are not in it` });
      writeFileSync(file, written.outputText);
      return { errors: faults };
    });
  },
});

/** A panel's script, which runs in a page and not on Node. */
function panelOptionsFor({ name, source }) {
  return {
    entryPoints: [source],
    outfile: `dist/${name}.js`,
    bundle: true,
    platform: "browser",
    format: "iife",
    target: panelTarget,
    loader: { ".svg": "text" },
    conditions: isProduction ? ["production"] : ["development"],
    minify: isProduction,
    sourcemap: isProduction ? false : "inline",
    legalComments: "none",
    metafile: true,
    logLevel: isWatched ? "info" : "warning",
    plugins: [budgetCheck(`dist/${name}.js`, budgetOfPanels), ...(isProduction ? [smallStyles] : [])],
  };
}

/**
 * Has a bundle ask for VS Code's interface once. Otherwise each of our files that imports it would ask anew, which costs a look
 * at the disk, and copy its few hundred names: together most of the time that loading the extension took. What is made here
 * has no names of its own to copy; they are its prototype's.
 */
const editorOnce = {
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
 * Leaves a program in its own bundle where another one imports it dynamically: what is not needed at the start need not even be read.
 */
const apart = {
  name: "apart",
  setup(bundle) {
    bundle.onResolve({ filter: /^\.{1,2}\// }, ({ kind, resolveDir, path: asked }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = path.resolve(resolveDir, asked);
      const program = programs.find((each) => path.resolve(each.source) === source);
      return program && { path: `./${program.name}.cjs`, external: true };
    });
  },
};

/**
 * Escapes what the bundler leaves as it is, characters in expressions and raw texts that expressions are made of: one of them, and all of the
 * bundle takes two bytes a character in memory for as long as it runs.
 */
const plainText = (file) => ({
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
const smallStyles = {
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

/** Fails the build of a bundle that outgrew its budget: what made it grow is to be found now, not by a user. */
const budgetCheck = (file, budget) => ({
  name: "budget",
  setup(bundle) {
    bundle.onEnd(({ metafile }) => {
      if (metafile === undefined || !isProduction) return {};
      const { bytes } = metafile.outputs[file];
      const text = `${file} weighs ${bytes} bytes; its budget is ${budget}`;
      console.log(text);
      return bytes > budget ? { errors: [{ text }] } : {};
    });
  },
});

/**
 * Says what was built, and when: a service of the same version that was built before hands over to this one. See `build-stamp.ts`.
 */
function writeStamp() {
  const hash = createHash("sha256");
  for (const file of globSync("dist/*.cjs").sort()) hash.update(file).update(readFileSync(file));
  const stamp = { hash: hash.digest("hex").slice(0, 32), builtAt: Date.now() };
  writeFileSync("dist/build.json", `${JSON.stringify(stamp)}\n`);
}

const stamped = { name: "stamped", setup: (bundle) => void bundle.onEnd(() => writeStamp()) };

const libraryAt = process.argv.indexOf("--library");
if (libraryAt >= 0) {
  await build(libraryOptions(process.argv[libraryAt + 1]));
  process.exit();
}
if (!isWatched) rmSync("dist", { recursive: true, force: true });
// SQLite itself, which the ledger's thread loads from beside its bundle.
mkdirSync("dist", { recursive: true });
copyFileSync("node_modules/sql.js/dist/sql-wasm.wasm", "dist/sql-wasm.wasm");
const all = [
  ...programs.map((program) => optionsFor(program)),
  ...panels.map((panel) => panelOptionsFor(panel)),
  libraryOptions("dist"),
];
if (isWatched) {
  const contexts = await Promise.all(all.map((options) => context(options)));
  await Promise.all(contexts.map((bundle) => bundle.watch()));
} else {
  const outcomes = await Promise.allSettled(all.map((options) => build(options)));
  // esbuild has printed what went wrong.
  if (outcomes.some(({ status }) => status === "rejected")) process.exitCode = 1;
  else writeStamp();
}
