import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, context } from "esbuild";
import { editorOnce, plainText, smallStyles } from "./test/house/build/bundle-plugins.mjs";
import { sharedChunks } from "./test/house/build/shared-chunks.ts";
import { deferredSchemas } from "./test/house/build/deferred-schemas.ts";
import { noJsonSchema } from "./test/house/build/no-json-schema.ts";
import { noticesOf } from "./test/house/build/notices.ts";
import { describeSize, sizeTable } from "./test/house/build/size-table.ts";
import { writtenRules } from "./test/house/build/written-rules.ts";

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
 * Size limits of minified programs and lazily loaded parts, including everything loaded before they run, in bytes. Wakes as jobs made most commands
 * 1,000 to 7,000 bytes larger, by files that they share with the process that runs jobs. The guard on repeated reads takes 500 to 3,000 bytes of
 * commands that share its state. The remedies for what a disk refuses take 400 to 1,000 bytes of each program that writes or starts the service.
 */
const budgets = {
  extension: 100_000,
  "guard-host": 68_000,
  // 700 bytes of these format figures in the language.
  "bench-host": 63_000,
  // Reads files of recurring agents: zod, yaml and croner. Loaded where a window has such files.
  // 36,000 bytes read the user's settings, ask before a wake, and follow it as a job.
  // 1,500 bytes say figures and origins in the language.
  // 2,000 tell clocks that were ahead.
  "recurring-host": 403_000,
  // Reads files of recurring agents, too: yaml and croner. Loaded where a person opens the sample.
  "sample-host": 455_000,
  // 9,000 bytes find what makes instructions dearer than they need be.
  // 1,200 bytes came with estimates in three digits and more kinds of secrets.
  "rent-parts": 331_000,
  // 7,500 bytes measure text in cells of a terminal, wide and combining characters included, and fit tables into its width; what prints
  // tables has them too. 1,200 bytes choose and read the translation.
  cli: 54_500,
  // With what their commands load right after them.
  "cli-slow-parts": 24_000,
  "cli-bench-parts": 23_000,
  // 6,400 bytes say what hooks can do with each agent, and which of them Codex skips; 2,000 say what to do about a ledger, or a link of a repository.
  "cli-hooks-command": 455_000,
  // 80,000 bytes read rows of Claude Code and Codex, to name those that are unknown.
  // 1,600 bytes tell the rules on what calls name; 5,000 are files that it shares with more commands than before.
  "cli-doctor-command": 526_000,
  // 30,000 bytes compare a session with the user's own median.
  "cli-sessions-show-command": 352_500,
  "cli-guard-command": 367_000,
  // 1,500 bytes leave out what a person went back from.
  // 1,200 keep slow tests.
  "cli-guard-play-history": 521_000,
  "cli-bench-golden-command": 479_000,
  // Files of recurring agents: yaml, croner, and what any command that asks has.
  // 1,500 bytes tell whether a wake still runs; 36,000 who wakes an agent by its schedule: the settings and the trusted folders.
  // 3,000 bytes are what a person agrees to, and room; 3,000 a day's spending, and clocks that were ahead.
  "cli-economy-agent-command": 532_000,
  // It asks the ledger how often each file was read, and reads frontmatter.
  // 3,000 bytes are files that it shares with more commands than before.
  // 2,700 bytes check the prompts in the head of a recurring agent's file, and count its wakes.
  "cli-instructions-command": 435_000,
  // The ledger's thread, and tables; 120,000 bytes are files that it shares with other commands.
  // 15,000 bytes are tests of what a change did, and room.
  "cli-economy-command": 470_000,
  // The same, and execa for sources that are commands.
  // 2,700 are a file of settings that it shares with more commands.
  "cli-economy-task-command": 483_500,
  // With what starts an agent's program, and the connection to the service.
  // 3,000 bytes are files that it shares with the process that runs jobs.
  // 9,000 bytes are what a person agrees to, what a wake hands over, and room; 1,000 who is an agent and whose rows name the branch.
  // 3,000 are a day's spending, clocks that were ahead, and what people decided in comments.
  "cli-economy-wake-command": 694_000,
  // Mostly the ledger's tables, zod and yaml.
  // 6,000 bytes of the first remove secrets from titles; 400 price service tiers, as in each program with prices.
  // 1,100 count what the ledger has beyond a session's files.
  "cli-sessions-command": 348_500,
  "cli-rules-command": 331_000,
  // 1,500 bytes leave out what a person went back from.
  "cli-learn-command": 322_500,
  // Drivers, execa, yaml and diff, for the few commands that run a benchmark, and for the process that runs it.
  "cli-bench-command": 798_000,
  // 1,300 bytes of these six read spending that is apart from its project.
  // The exact test and intervals of rates are a part of their own since recurring agents use them, too: 100 bytes more in each.
  "cli-compare-command": 870_000,
  // 8,400 bytes more make parts of a selection, and confirm what it finds; 1,300 judge several times faster.
  "cli-rules-select-command": 866_000,
  // 5,000 bytes of these three plan several changes against the same runs.
  "cli-compare-ablate-command": 866_000,
  "cli-compare-evolve-command": 881_500,
  // 10,000 bytes more compute what a budget would decide; 2,900 how much sessions of real work differ; 400 remove secrets before a cut.
  "cli-plan-command": 910_500,
  // 9,000 bytes of it compare several changes with the same runs; 2,700 tell how much sessions of real work differ;
  // 16,000 are files that it shares with more commands than before.
  // 97,000 wake recurring agents: croner, the readers of their files and tasks, and what starts and follows their programs.
  // 1,300 judge several times faster.
  // 3,000 are a day's spending, clocks that were ahead, and what people decided in comments.
  "bench-worker": 965_000,
  // 1,500 bytes compute the rule book after a change, which saves reading it again; 3,400 diff texts by lines; 1,000
  // end the service of a sample whose window was killed; 3,500 record what a whole set of rules does.
  // 3,500 bytes ask guard rules about calls, and record what they do.
  // 240,000 bytes follow each agent's sessions: yaml, lenient JSON and the readers, none evaluated before its agent is found.
  // 7,000 bytes read the guard rules of trusted projects.
  // 19,000 bytes compare compactions with what was known before them, and tell new sessions of the last one.
  // 13,000 bytes begin and end learning from past sessions, and tell agents of it at a prompt.
  // 5,500 bytes read and replace answers of tools, and find hooks of plugins and administrators.
  // 7,500 bytes offer a window what the last session left, store what a session came to at its end, and let texts that do not help fall silent.
  // 6,000 bytes tell what recurring agents cost.
  // 56,500 bytes learn how long a session pays, and tell which of them are due: croner, and what reads their files, evaluated once the service is to wake them.
  // 6,000 bytes give texts that were left out, and know tasks by their numbers.
  // 2,200 bytes take the runs of benches that no service took.
  // 4,500 bytes leave out what a person went back from, and add what the ledger has beyond a transcript.
  // 600 bytes tell windows why the ledger cannot be used.
  // 2,000 bytes are a day's spending, and clocks that were ahead.
  service: 1_099_500,
  // A parser of shells, linear regular expressions, and all rules with their examples; loaded with the first call that is judged.
  // 6,000 bytes more read what commands give to programs, and tell the rules on what was learned.
  // 12,000 bytes open what shells of Windows run, and texts that code decodes.
  // 12,000 bytes open loops of zsh and quotes of PowerShell, and tell the rules on secrets for services and on texts for shells.
  // 4,000 bytes are words that YAML cannot make of parts, and room.
  "guard-rules": 806_000,
  // The ledger and the readers of all agents' files; 500 bytes hold what guard rules did; 1,200 make schemas at their first use.
  // 8,000 bytes hold what was learned from past sessions; 2,000 what a session came to, and how it came to be.
  // 1,700 bytes hold the wakes of recurring agents.
  // 12,700 bytes are the schema that all migrations end in, from which a new ledger is made.
  // 1,500 bytes leave out what a person went back from.
  "ledger-worker": 515_500,
  // Reads of every agent's past, and of shells, for the story of a session; loaded with the first of them.
  // 1,100 bytes read what a script defines, and scripts of more programs.
  stories: 376_500,
  // 2,400 bytes tell which program runs a hook, and whether another hook tells of the same.
  // 600 bytes judge a call where no service answers.
  hook: 19_600,
  // Repairs and removes our entries in agents' settings: zod, lenient JSON, and the installer.
  "hooks-upkeep": 169_500,
  "hooks-repair": 2_000,
  uninstall: 2_000,
  "status-line": 8_000,
  // `context-purser/budget`: mostly zod; 2,800 bytes read spending that is apart from its project.
  budget: 125_000,
  // 1,700 read ids that are numbers, and calls without a model or a sum.
  "scan-worker": 44_000,
  // A parser of shells, and the tasks that learn from past sessions; ends when they are done.
  // 1,300 bytes read what a script defines, and scripts of more programs.
  "learning-worker": 398_000,
};
const budgetOfOthers = 308_000;
/**
 * Size limit of a panel: its scripts are read and run before any of it is visible. 10,000 bytes hold whole sentences for one and for many, and
 * put elements into translated ones.
 */
const budgetOfPanels = 305_000;

/** The Chromium of VS Code 1.100, which renders the panels. */
const panelTarget = "chrome132";

const workers = globSync("src/engine/**/*-worker.ts").map((file) => {
  const source = file.replaceAll(path.sep, "/");
  return { name: path.basename(source, ".ts"), source };
});

/** Standalone files, which start faster or use less memory than with shared code. */
const alone = [
  { name: "extension", source: "src/extension/extension.ts" },
  { name: "cli", source: "src/engine/cli/main.ts" },
  { name: "service", source: "src/engine/service/main.ts" },
  { name: "hook", source: "src/engine/service/hook-shim.ts" },
  { name: "status-line", source: "src/engine/service/status-line.ts" },
  { name: "hooks-repair", source: "src/engine/service/hooks-repair-program.ts" },
  { name: "uninstall", source: "src/engine/service/uninstall-program.ts" },
  { name: "hooks-upkeep", source: "src/engine/service/hooks/upkeep.ts" },
  { name: "unanswered", source: "src/engine/service/hooks/judging/unanswered.ts" },
  { name: "guard-rules", source: "src/engine/guard/catalogue/judge-all.ts" },
  { name: "guard-facts", source: "src/engine/guard/facts/look-up.ts" },
  { name: "guard-output", source: "src/engine/guard/output/compress-from.ts" },
  { name: "guard-command", source: "src/engine/guard/work/read-command.ts" },
  { name: "guard-file", source: "src/engine/guard/user-rules/editor.ts" },
  { name: "stories", source: "src/engine/continuity/story/create-stories.ts" },
  { name: "reckon-trial", source: "src/engine/rules/trial/reckon.ts" },
  { name: "ask-claude", source: "src/engine/bench/drivers/claude/ask.ts" },
  ...workers.filter(({ name }) => name !== "bench-worker"),
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
const standing = globSync("src/engine/transcripts/*/standing/in-transcript.ts").map((file) => ({
  name: `${path.basename(path.dirname(path.dirname(file)))}-standing`,
  source: file.replaceAll(path.sep, "/"),
}));

/** What names the unknown in agents' rows, which only `purser doctor` asks for. */
const namings = globSync("src/engine/transcripts/*/rows/naming.ts").map((file) => ({
  name: `${path.basename(path.dirname(path.dirname(file)))}-row-names`,
  source: file.replaceAll(path.sep, "/"),
}));

/** Programs that run all day, and define far more schemas than they use. */
const allDay = new Set(["ledger-worker", "service"]);

/**
 * Readers that a standalone program has in its own bundle, which runs all day. In files of their own they would load zod and much of our code
 * a second time: 1.2 MB in the service.
 */
const inside = { "ledger-worker": usageReaders, service: [...liveReaders, ...standing] };

const sharing = [
  { name: "service-access", source: "src/extension/service/access.ts" },
  { name: "ledger-host", source: "src/extension/ledger/panel.ts" },
  { name: "handover-host", source: "src/extension/handover/host.ts" },
  { name: "guard-host", source: "src/extension/guard/host.ts" },
  { name: "guard-file-host", source: "src/extension/guard/file/host.ts" },
  { name: "guard-actions", source: "src/extension/guard/actions.ts" },
  { name: "change-preview", source: "src/extension/hooks/preview.ts" },
  { name: "bench-host", source: "src/extension/bench/host.ts" },
  { name: "bench-panel-host", source: "src/extension/bench/panel.ts" },
  { name: "rules-host", source: "src/extension/rules/host.ts" },
  { name: "rules-panel-host", source: "src/extension/rules/panel.ts" },
  { name: "report-panel-host", source: "src/extension/report/panel.ts" },
  { name: "guard-panel-host", source: "src/extension/guard/panel.ts" },
  { name: "economy-panel-host", source: "src/extension/economy/panel.ts" },
  { name: "sample-host", source: "src/extension/sample/host.ts" },
  { name: "compare-host", source: "src/extension/compare/host.ts" },
  { name: "rent-parts", source: "src/extension/instructions/parts.ts" },
  { name: "recurring-host", source: "src/extension/economy/agents/host.ts" },
  { name: "golden-new", source: "src/extension/bench/golden/new-task.ts" },
  { name: "cli-slow-parts", source: "src/engine/cli/slow-parts.ts" },
  { name: "cli-bench-parts", source: "src/engine/cli/bench-parts.ts" },
  ...workers.filter(({ name }) => name === "bench-worker"),
  ...usageReaders,
  ...liveReaders,
  ...histories,
  ...standing,
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
      budgetCheck,
      noJsonSchema,
      ...(allDay.has(name) ? [deferredSchemas] : []),
      ...(name === "guard-rules" ? [writtenRules] : []),
      editorOnce,
      apart(programs.filter((each) => !(inside[name] ?? []).includes(each))),
      ...(name === "service" && isProduction ? [plainText(`dist/${name}.cjs`)] : []),
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
 * Cost of opening one more file, in bytes of code that a program could load needlessly instead. Most of that code makes schemas, which takes
 * longer than its length suggests: with 8,000 there are 24 files for 40, and `purser usage` takes 5 % more CPU time.
 */
const fileCost = 2500;

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
      noJsonSchema,
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
    plugins: [budgetCheck, noJsonSchema, declarations(`${place}/budget.d.mts`)],
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
    loader: { ".svg": "text" },
    conditions: isProduction ? ["production"] : ["development"],
    plugins: [
      noJsonSchema,
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
/** Names of everything weighed: a budget for any other name means that a program was renamed. */
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
    const budget = budgets[name] ?? (panelNames.has(name) ? budgetOfPanels : budgetOfOthers);
    if (isShared || whole <= budget) return [];
    return [{ text: `${name} weighs ${whole} bytes with what it loads; its budget is ${budget}` }];
  });
}

/** Weighs programs and prints the errors: esbuild does not print them. */
function weighAloud(built) {
  const faults = weigh(built);
  for (const { text } of faults) console.error(text);
  return faults;
}

const budgetCheck = {
  name: "budget",
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
copyFileSync(sqlite, "dist/sql-wasm.wasm");
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
  const gone = isProduction ? Object.keys(budgets).filter((name) => !weighed.has(name)) : [];
  for (const name of gone) console.error(`There is a budget for ${name}, which is no program`);
  if (gone.length > 0) process.exitCode = 1;
}
