import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, context } from "esbuild";
import { editorOnce, plainText, smallStyles } from "./test/house/bundle-plugins.mjs";
import { sharedChunks } from "./test/house/shared-chunks.ts";
import { inWords, sizeTable } from "./test/house/size-table.ts";

/**
 * Bundles purser's programs into `dist`: the extension, the CLI, the service, and the entry of every thread (`*-worker.ts` below
 * `src/engine`), the script of every panel, and the library that other programs import. `--production` minifies and leaves source maps out,
 * `--sizes` prints what each file weighs, `--watch` builds again on every change, `--library FOLDER` builds the library alone, into a folder.
 *
 * What must begin at once, or is copied and run by itself, stands alone in its file. All others share what they have in common, in
 * `dist/shared-*.cjs`, as the panels do in `dist/panels-*.js`.
 */
const isProduction = process.argv.includes("--production");
const tellsSizes = isProduction || process.argv.includes("--sizes");
const isWatched = process.argv.includes("--watch");

/** VS Code 1.100, the oldest we promise, runs extensions and their threads on Node 20; `engines` asks no more of the CLI. */
const target = "node20.19";

/** What a minified program, or a part that is loaded when it is asked for, may weigh with all that is loaded before it runs, in bytes. */
const budgets = {
  extension: 100_000,
  "guard-host": 45_000,
  "bench-host": 45_000,
  "rent-parts": 325_000,
  cli: 26_000,
  "cli-slow-parts": 10_000,
  "cli-bench-parts": 10_000,
  "cli-hooks-command": 372_000,
  "cli-bench-golden-command": 460_000,
  // Drivers, execa, yaml and diff, for the few commands that run a benchmark, and for the process that does it.
  "cli-bench-command": 740_000,
  "cli-compare-command": 740_000,
  "cli-rules-select-command": 740_000,
  "cli-compare-ablate-command": 740_000,
  "cli-compare-evolve-command": 740_000,
  "bench-worker": 740_000,
  // 1,500 bytes of it reckon how the rule book is after a change, so that it need not be read again; 3,400 compare texts by lines.
  service: 511_000,
  // The ledger, and the readers of all agents' files.
  "ledger-worker": 400_000,
  hook: 14_000,
  // What mends agents' settings and takes out of them what was put in: zod, the JSON that people write, and the installer.
  "hooks-upkeep": 180_000,
  "hooks-repair": 2_000,
  uninstall: 2_000,
  "status-line": 8_000,
  // `context-purser/budget`: most of it is zod.
  budget: 150_000,
  "scan-worker": 32_000,
};
const budgetOfOthers = 300_000;
/** What a panel may: its scripts are read and run before anything of it is seen. */
const budgetOfPanels = 245_000;

/** The Chromium of VS Code 1.100, which shows the panels. */
const panelTarget = "chrome132";

const workers = globSync("src/engine/**/*-worker.ts").map((file) => {
  const source = file.replaceAll(path.sep, "/");
  return { name: path.basename(source, ".ts"), source };
});

/** Each is a file that needs no other: it begins sooner, or takes less memory, than with what it would share. */
const alone = [
  { name: "extension", source: "src/extension/extension.ts" },
  { name: "cli", source: "src/engine/cli/main.ts" },
  { name: "service", source: "src/engine/service/main.ts" },
  { name: "hook", source: "src/engine/service/hook-shim.ts" },
  { name: "status-line", source: "src/engine/service/status-line.ts" },
  { name: "hooks-repair", source: "src/engine/service/hooks-repair-program.ts" },
  { name: "uninstall", source: "src/engine/service/uninstall-program.ts" },
  { name: "hooks-upkeep", source: "src/engine/service/hooks/upkeep.ts" },
  { name: "ask-claude", source: "src/engine/bench/drivers/claude/ask.ts" },
  ...workers.filter(({ name }) => name !== "bench-worker"),
];

const sharing = [
  { name: "service-access", source: "src/extension/service/access.ts" },
  { name: "ledger-host", source: "src/extension/ledger/panel.ts" },
  { name: "guard-host", source: "src/extension/guard/host.ts" },
  { name: "guard-acts", source: "src/extension/guard/acts.ts" },
  { name: "change-preview", source: "src/extension/hooks/preview.ts" },
  { name: "bench-host", source: "src/extension/bench/host.ts" },
  { name: "bench-panel-host", source: "src/extension/bench/panel.ts" },
  { name: "rules-host", source: "src/extension/rules/host.ts" },
  { name: "rules-panel-host", source: "src/extension/rules/panel.ts" },
  { name: "report-panel-host", source: "src/extension/report/panel.ts" },
  { name: "compare-host", source: "src/extension/compare/host.ts" },
  { name: "rent-parts", source: "src/extension/instructions/parts.ts" },
  { name: "golden-new", source: "src/extension/bench/golden/new-task.ts" },
  { name: "cli-slow-parts", source: "src/engine/cli/slow-parts.ts" },
  { name: "cli-bench-parts", source: "src/engine/cli/bench-parts.ts" },
  ...workers.filter(({ name }) => name === "bench-worker"),
];
const programs = [...alone, ...sharing];

const librarySource = "src/engine/budgets/library.ts";

const panels = globSync("src/webview/*/main.ts").map((source) => ({
  name: `${path.basename(path.dirname(source))}-panel`,
  source: source.replaceAll(path.sep, "/"),
}));

/** How every file is written that Node runs. */
const written = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target,
  minify: isProduction,
  sourcemap: isProduction ? false : "linked",
  legalComments: "none",
  // One bundle loads another with `require`: `import` would start Node's other loader first.
  supported: { "dynamic-import": false },
  metafile: true,
  logLevel: isWatched ? "info" : "warning",
};
/** How our sources are read for it. */
const read = {
  // The bundles are CommonJS, which has another word for a module's own place.
  define: { "import.meta.filename": "__filename" },
  // Its other form asks for its parts in a way that no bundler sees.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
};

function optionsFor({ name, source }) {
  return {
    ...written,
    ...read,
    entryPoints: [source],
    outfile: `dist/${name}.cjs`,
    banner: name === "cli" ? { js: "#!/usr/bin/env node" } : {},
    plugins: [
      budgetCheck,
      editorOnce,
      apart(programs),
      ...(name === "service" && isProduction ? [plainText(`dist/${name}.cjs`)] : []),
      ...(isWatched ? [stamped] : []),
    ],
  };
}

/** How the names of files begin that several programs, or panels, load. */
const sharedPrefix = "shared-";
const panelsPrefix = "panels-";

/** How a build begins whose files share their code. */
const split = {
  bundle: true,
  splitting: true,
  format: "esm",
  outdir: "out/split",
  write: false,
  minify: isProduction,
  sourcemap: isProduction ? false : "inline",
  legalComments: "none",
  metafile: true,
  logLevel: isWatched ? "info" : "warning",
};

/**
 * What opening one more file costs a program, in bytes of code that it could run in vain instead. Most of that code makes schemas, which
 * takes longer than its length says: with 8,000 there are 24 files for 40, and `purser usage` takes 5 % more of the processor.
 */
const fileCost = 2500;

/** The programs that share what they have in common. */
function sharingOptions() {
  const entryPoints = Object.fromEntries(sharing.map(({ name, source }) => [name, source]));
  return {
    ...split,
    ...read,
    platform: "node",
    target,
    entryPoints,
    plugins: [
      editorOnce,
      apart(alone),
      sharedChunks({
        programs: entryPoints,
        options: { ...written, outdir: "dist", logLevel: "warning" },
        extension: ".cjs",
        prefix: sharedPrefix,
        fileCost,
        weigh: weighAloud,
      }),
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
    plugins: [budgetCheck, declarations(`${place}/budget.d.mts`)],
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

/** The panels' scripts, which run in pages and not on Node. A page asks for one file besides its own: to ask may mean to ask another machine. */
function panelOptions() {
  const entryPoints = Object.fromEntries(panels.map(({ name, source }) => [name, source]));
  const shown = { platform: "browser", target: panelTarget };
  return {
    ...split,
    ...shown,
    entryPoints,
    loader: { ".svg": "text" },
    conditions: isProduction ? ["production"] : ["development"],
    plugins: [
      ...(isProduction ? [smallStyles] : []),
      sharedChunks({
        programs: entryPoints,
        options: { ...split, ...shown, splitting: false, write: true, outdir: "dist", logLevel: "warning" },
        extension: ".js",
        prefix: panelsPrefix,
        fileCost: Number.MAX_SAFE_INTEGER,
        weigh: weighAloud,
      }),
    ],
  };
}

/**
 * Leaves a program in its own bundle where another one imports it dynamically: what is not needed at the start need not even be read.
 */
const apart = (others) => ({
  name: "apart",
  setup(bundle) {
    bundle.onResolve({ filter: /^\.{1,2}\// }, ({ kind, resolveDir, path: asked }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = path.resolve(resolveDir, asked);
      const program = others.find((each) => path.resolve(each.source) === source);
      return program && { path: `./${program.name}.cjs`, external: true };
    });
  },
});

const panelNames = new Set(panels.map(({ name }) => name));
/** Names of all that was weighed: a budget for anything else is a name that was changed. */
const weighed = new Set();

/** Says what is wrong with the weight of programs: what made one grow is to be found now, not by a user. */
function weigh({ outputs }) {
  if (!tellsSizes) return [];
  const rows = sizeTable(outputs, [sharedPrefix, panelsPrefix]);
  for (const row of rows) {
    console.log(inWords(row));
    weighed.add(row.name);
  }
  if (!isProduction) return [];
  return rows.flatMap(({ name, whole, isShared }) => {
    const budget = budgets[name] ?? (panelNames.has(name) ? budgetOfPanels : budgetOfOthers);
    if (isShared || whole <= budget) return [];
    return [{ text: `${name} weighs ${whole} bytes with what it loads; its budget is ${budget}` }];
  });
}

/** The same for programs that share: esbuild prints nothing of their builds. */
function weighAloud(built) {
  const faults = weigh(built);
  for (const { text } of faults) console.error(text);
  return faults;
}

const budgetCheck = {
  name: "budget",
  setup(bundle) {
    bundle.onEnd(({ metafile }) => (metafile === undefined ? {} : { errors: weigh(metafile) }));
  },
};

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
  ...alone.map((program) => optionsFor(program)),
  sharingOptions(),
  panelOptions(),
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
  const gone = isProduction ? Object.keys(budgets).filter((name) => !weighed.has(name)) : [];
  for (const name of gone) console.error(`There is a budget for ${name}, which is no program`);
  if (gone.length > 0) process.exitCode = 1;
}
