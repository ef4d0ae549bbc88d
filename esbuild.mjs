import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { build, context } from "esbuild";
import { editorOnce, plainText, smallMcp, smallStyles } from "./scripts/build/bundle-plugins.mjs";
import { sharedChunks } from "./scripts/build/shared-chunks.ts";
import { deferredSchemas } from "./scripts/build/deferred-schemas.ts";
import { noticesOf } from "./scripts/build/notices.ts";
import { describeSize, sizeTable } from "./scripts/build/size-table.ts";
import { packTexts } from "./scripts/build/packed-texts.ts";
import { throughDoors } from "./scripts/build/through-doors.ts";
import { writtenRules } from "./scripts/build/written-rules.ts";

/**
 * Bundles purser's programs into `dist`: the extension, the CLI, the service, the entry of every thread (`*-worker.ts` below `src/engine`),
 * every panel's script, and the library that other programs import. `--production` minifies and omits source maps, `--sizes` prints each file's
 * size, `--watch` rebuilds on every change, `--library FOLDER` builds only the library, into a folder.
 *
 * Programs that must start at once, or are copied and run alone, are standalone files. All others share common code in `dist/shared-*.cjs`, as
 * the panels do in `dist/panels-*.js`.
 */
const isProduction = process.argv.includes("--production");
const tellsSizes = isProduction || process.argv.includes("--sizes");
const isWatched = process.argv.includes("--watch");

/** VS Code 1.100, the oldest supported version, runs extensions and their threads on Node 20; `engines` requires no more for the CLI. */
const target = "node20.19";

/**
 * Size limits in bytes, of minified programs and lazily loaded parts with everything loaded before they run, and of panels with their scripts,
 * which are read and run before any of a panel is visible. Growth is to be noticed here, not by a user. Raise a limit in the commit that needs
 * it, with the reason in its message.
 */
const limits = JSON.parse(readFileSync("scripts/build/size-limits.json", "utf8"));

/** The Chromium of VS Code 1.100, which renders the panels. */
const panelTarget = "chrome132";

const workers = globSync("src/engine/**/*-worker.ts").map((file) => {
  const source = file.replaceAll(path.sep, "/");
  return { name: path.basename(source, ".ts"), source };
});

/** Standalone files: they start at once, with each command, hook or window. */
const alone = [
  { name: "extension", source: "src/extension/extension.ts" },
  { name: "cli", source: "src/engine/cli/main.ts" },
  { name: "hook", source: "src/engine/service/hook-shim.ts" },
  { name: "status-line", source: "src/engine/service/status-line.ts" },
  { name: "hooks-repair", source: "src/engine/service/hooks-repair-program.ts" },
  { name: "uninstall", source: "src/engine/service/uninstall-program.ts" },
  { name: "mcp-server", source: "src/engine/cli/mcp/mcp-server.ts" },
  ...workers.filter(({ name }) => name === "scan-worker"),
];

/** Readers of agents' usage records. */
const usageReaders = globSync("src/engine/transcripts/*/usage-reader.ts").map((file) => ({
  name: `${path.basename(path.dirname(file))}-usage-reader`,
  source: file.replaceAll(path.sep, "/"),
}));

/** What follows agents' sessions, loaded for those agents that the machine has. */
const liveReaders = globSync("src/engine/transcripts/*/{live-reader,live/reader}.ts").map((file) => ({
  name: `${path.relative("src/engine/transcripts", file).split(path.sep)[0]}-live-reader`,
  source: file.replaceAll(path.sep, "/"),
}));

/** Readers of the calls and outputs of agents' pasts, which only a replay asks for. */
const histories = globSync("src/engine/transcripts/*/past/history.ts").map((file) => ({
  name: `${path.basename(path.dirname(path.dirname(file)))}-history`,
  source: file.replaceAll(path.sep, "/"),
}));

/** Searches of transcripts for calls that still are in a context, which only the service's guards ask for. */
const inContext = globSync("src/engine/transcripts/*/in-context/in-transcript.ts").map((file) => ({
  name: `${path.basename(path.dirname(path.dirname(file)))}-in-context`,
  source: file.replaceAll(path.sep, "/"),
}));

/** What names the unknown in agents' rows, which only `purser doctor` asks for. */
const namings = globSync("src/engine/transcripts/*/rows/naming.ts").map((file) => ({
  name: `${path.basename(path.dirname(path.dirname(file)))}-row-names`,
  source: file.replaceAll(path.sep, "/"),
}));

const sharing = [
  { name: "service-access", source: "src/extension/service/service-access.ts" },
  { name: "copy-settings", source: "src/extension/service/copy-settings.ts" },
  { name: "ledger-host", source: "src/extension/ledger/ledger-panel.ts" },
  { name: "handover-host", source: "src/extension/handover/handover-host.ts" },
  { name: "guard-host", source: "src/extension/guard/guard-host.ts" },
  { name: "guard-file-host", source: "src/extension/guard/file/file-host.ts" },
  { name: "guard-actions", source: "src/extension/guard/guard-actions.ts" },
  { name: "change-preview", source: "src/extension/hooks/preview.ts" },
  { name: "experiments-host", source: "src/extension/experiments/experiments-host.ts" },
  { name: "experiments-panel-host", source: "src/extension/experiments/experiments-panel.ts" },
  { name: "rules-host", source: "src/extension/rules/rules-host.ts" },
  { name: "rules-panel-host", source: "src/extension/rules/rules-panel.ts" },
  { name: "guard-panel-host", source: "src/extension/guard/guard-panel.ts" },
  { name: "economy-panel-host", source: "src/extension/economy/economy-panel.ts" },
  { name: "sample-host", source: "src/extension/sample/sample-host.ts" },
  { name: "rent-parts", source: "src/extension/instructions/parts.ts" },
  { name: "recurring-host", source: "src/extension/economy/agents/economy-agents-host.ts" },
  { name: "golden-new", source: "src/extension/experiments/golden/new-task.ts" },
  { name: "cli-slow-parts", source: "src/engine/cli/slow-parts.ts" },
  { name: "cli-bench-parts", source: "src/engine/cli/bench-parts.ts" },
  ...workers.filter(({ name }) => name !== "scan-worker"),
  { name: "service", source: "src/engine/service/main.ts" },
  { name: "unanswered", source: "src/engine/guard/unanswered.ts" },
  { name: "guard-rules", source: "src/engine/guard/catalogue/judge-all.ts" },
  { name: "guard-facts", source: "src/engine/guard/facts/look-up.ts" },
  { name: "guard-output", source: "src/engine/guard/output/compress-from.ts" },
  { name: "guard-command", source: "src/engine/guard/work/read-command.ts" },
  { name: "guard-file", source: "src/engine/guard/user-rules/editor.ts" },
  { name: "stories", source: "src/engine/continuity/story/create-stories.ts" },
  { name: "reckon-trial", source: "src/engine/rules/trial/reckon.ts" },
  { name: "ask-claude", source: "src/engine/bench/ask-claude.ts" },
  { name: "hooks-upkeep", source: "src/engine/service/launch/upkeep.ts" },
  ...usageReaders,
  ...liveReaders,
  ...histories,
  ...inContext,
  ...namings,
];
const programs = [...alone, ...sharing];

const librarySource = "src/engine/budgets/library.ts";

const panels = globSync("src/webview/*/main.ts").map((source) => ({
  name: `${path.basename(path.dirname(source))}-panel`,
  source: source.replaceAll(path.sep, "/"),
}));

/** Output options of every file that Node runs. */
const written = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target,
  minify: isProduction,
  sourcemap: isProduction ? false : "linked",
  legalComments: "none",
  // Bundles load each other with `require`: `import` would first start Node's ESM loader.
  supported: { "dynamic-import": false },
  metafile: true,
  logLevel: isWatched ? "info" : "warning",
};
/** Input options of our sources for those files. */
const read = {
  // The bundles are CommonJS, where a module's own path has another name.
  define: { "import.meta.filename": "__filename" },
  // Its other build loads its parts in a way that bundlers cannot follow.
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
      sizeCheck,
      editorOnce,
      smallMcp,
      apart(programs),
      throughDoors(),
      ...(isWatched ? [stamped] : []),
    ],
  };
}

/** Name prefixes of files shared by several programs or panels. */
const sharedPrefix = "shared-";
const panelsPrefix = "panels-";

/** Options of the first build of files that share code. */
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
 * Cost of opening one more file, in bytes of code that a program could load needlessly instead. With 2,500 there are 70 files more, and no
 * program starts sooner.
 */
const fileCost = 10_000;

/** Options of the programs that share code. */
function sharingOptions() {
  const entryPoints = Object.fromEntries(sharing.map(({ name, source }) => [name, source]));
  return {
    ...split,
    ...read,
    platform: "node",
    target,
    entryPoints,
    plugins: [
      deferredSchemas,
      writtenRules,
      editorOnce,
      apart(alone),
      throughDoors(),
      sharedChunks({
        programs: entryPoints,
        options: {
          ...written,
          outdir: "dist",
          logLevel: "warning",
          plugins: isProduction ? [plainText] : [],
        },
        extension: ".cjs",
        prefix: sharedPrefix,
        fileCost,
        weigh: weighAloud,
      }),
      ...(isWatched ? [stamped] : []),
    ],
  };
}

/** Options of the library that `import "context-purser/budget"` loads: an ECMAScript module, with its types beside it. */
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
    plugins: [sizeCheck, throughDoors(), declarations(`${place}/budget.d.mts`)],
  };
}

/** Writes the types of the library: its source has all of them in one file and refers to no other. */
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

/**
 * Options of the panels' scripts, which run in pages, not on Node. A page requests one file besides its own, since each request may go to
 * another machine.
 */
function panelOptions() {
  const entryPoints = Object.fromEntries(panels.map(({ name, source }) => [name, source]));
  const shown = { platform: "browser", target: panelTarget };
  return {
    ...split,
    ...shown,
    entryPoints,
    loader: { ".svg": "text", ".css": "text" },
    conditions: isProduction ? ["production"] : ["development"],
    plugins: [
      ...(isProduction ? [smallStyles] : []),
      throughDoors(),
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

/** Keeps a program in its own bundle where another one imports it dynamically: code that is not needed at the start is not even read. */
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
/** Names of everything weighed: a limit for any other name means that a program was renamed. */
const weighed = new Set();

/** Returns errors about the sizes of programs, so that growth is noticed now, not by a user. */
function weigh({ outputs }) {
  if (!tellsSizes) return [];
  const rows = sizeTable(outputs, [sharedPrefix, panelsPrefix]);
  for (const row of rows) {
    console.log(describeSize(row));
    weighed.add(row.name);
  }
  if (!isProduction) return [];
  return rows.flatMap(({ name, whole, isShared }) => {
    const limit = limits.programs[name] ?? (panelNames.has(name) ? limits.panels : limits.otherPrograms);
    if (isShared || whole <= limit) return [];
    return [{ text: `${name} weighs ${whole} bytes with what it loads; its limit is ${limit}` }];
  });
}

/** Weighs programs and prints the errors: esbuild does not print them. */
function weighAloud(built) {
  const faults = weigh(built);
  for (const { text } of faults) console.error(text);
  return faults;
}

const sizeCheck = {
  name: "size",
  setup(bundle) {
    bundle.onEnd(({ metafile }) => (metafile === undefined ? {} : { errors: weighAloud(metafile) }));
  },
};

/** Writes the build's hash and time: a service of the same version from an earlier build hands over to this one. See `build-stamp.ts`. */
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
// SQLite itself, which the ledger's thread loads from its bundle's folder.
mkdirSync("dist", { recursive: true });
const sqlite = "node_modules/sql.js/dist/sql-wasm.wasm";
const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = zlib.constants;
// A seventh smaller than in the package otherwise; unpacking takes a few milliseconds.
writeFileSync(
  "dist/sql-wasm.wasm.br",
  zlib.brotliCompressSync(readFileSync(sqlite), {
    params: { [quality]: isProduction ? 11 : 4, [window]: 24 },
  }),
);
packTexts("l10n", "dist", isProduction ? 11 : 4);
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
  // esbuild has already printed the errors.
  if (outcomes.some(({ status }) => status === "rejected")) process.exitCode = 1;
  else {
    writeStamp();
    const inputs = outcomes.flatMap(({ value }) => Object.keys(value.metafile.inputs));
    writeFileSync("dist/ThirdPartyNotices.txt", noticesOf([...inputs, sqlite], process.cwd()));
  }
  const gone = isProduction ? Object.keys(limits.programs).filter((name) => !weighed.has(name)) : [];
  for (const name of gone) console.error(`There is a size limit for ${name}, which is no program`);
  if (gone.length > 0) process.exitCode = 1;
}
