import { isBuiltin } from "node:module";
import path from "node:path";
import {
  build,
  type BuildOptions,
  type Metafile,
  type OutputFile,
  type PartialMessage,
  type Plugin,
} from "esbuild";
import { planChunks, type Chunk } from "./chunk-plan.ts";

type Outputs = Metafile["outputs"];

export interface SharedOptions {
  /** The build's programs: name to source. */
  readonly programs: Readonly<Record<string, string>>;
  /** Output options: format, target, minifying, folder. */
  readonly options: BuildOptions;
  /** Extension of the files' names, such as `.cjs`. */
  readonly extension: string;
  /** Prefix of the names of shared files. */
  readonly prefix: string;
  /** See `planChunks`. */
  readonly fileCost: number;
  /** Checks the written files; returns errors. */
  readonly weigh: (written: Metafile) => PartialMessage[];
}

/**
 * Writes the files that are shipped from esbuild's split output. esbuild splits only ECMAScript modules, and makes a file for every set of
 * programs that share something: this merges these into fewer files, in the wanted format.
 *
 * The build needs `splitting`, `format: "esm"`, `write: false` and `metafile`. Programs keep their names; a dynamically imported part is named
 * after its source's path.
 */
export function sharedChunks(shared: SharedOptions): Plugin {
  return {
    name: "shared-chunks",
    setup(bundle) {
      bundle.onEnd(async ({ outputFiles, metafile, errors }) => {
        if (errors.length > 0 || outputFiles === undefined || metafile === undefined) return {};
        const layout = layOut(metafile.outputs, shared);
        const written = await build({
          ...shared.options,
          entryPoints: layout.entries,
          bundle: true,
          metafile: true,
          outExtension: { ".js": shared.extension },
          plugins: [...(shared.options.plugins ?? []), rejoin(layout, outputFiles, shared.extension)],
        });
        return { errors: shared.weigh(written.metafile) };
      });
    },
  };
}

const mergedSuffix = ".merged";

interface Layout {
  /** The files to write: name to entry point. */
  readonly entries: Record<string, string>;
  /** The name of the file that holds a split file's code. */
  readonly nameOf: ReadonlyMap<string, string>;
  /** Merged files by name: the split files in each, and their exports under unique names. */
  readonly merged: ReadonlyMap<string, readonly MergedChunk[]>;
}

interface MergedChunk {
  readonly file: string;
  /** Export name in the split file to name in the merged one. */
  readonly names: ReadonlyMap<string, string>;
}

function layOut(outputs: Outputs, { programs, fileCost, prefix }: SharedOptions): Layout {
  const sources = new Set(Object.values(programs));
  const entries: Record<string, string> = {};
  const nameOf = new Map<string, string>();
  for (const [file, { entryPoint: source }] of Object.entries(outputs)) {
    if (source === undefined) continue;
    const name = sources.has(source) ? path.basename(file, ".js") : partName(source);
    if (entries[name] !== undefined) throw new Error(`Two parts would be named ${name}: rename ${source}.`);
    entries[name] = file;
    nameOf.set(file, name);
  }
  const merged = new Map<string, readonly MergedChunk[]>();
  for (const group of planChunks(chunksOf(outputs), fileCost)) {
    const name = unusedName(`${prefix}${heaviest(group, outputs)}`, entries);
    entries[name] = `${name}${mergedSuffix}`;
    const taken = new Set<string>();
    for (const file of group) nameOf.set(file, name);
    const members = group.map((file): MergedChunk => {
      const names = (outputs[file]?.exports ?? []).map((each) => [each, unusedIn(taken, each)] as const);
      return { file, names: new Map(names) };
    });
    merged.set(name, members);
  }
  return { entries, nameOf, merged };
}

/** Modules of Node that take milliseconds to load, with the bytes of our own code that load as fast. */
const slowBuiltins = new Map([
  ["node:crypto", 15_000],
  ["node:http", 40_000],
]);

/** Returns the chunks that are neither a program nor a part, with the programs and parts that load them. */
function chunksOf(outputs: Outputs): Chunk[] {
  const importsOf = (file: string): string[] =>
    (outputs[file]?.imports ?? [])
      .filter(({ kind, path: other }) => kind === "import-statement" && outputs[other] !== undefined)
      .map(({ path: other }) => other);
  const users = new Map<string, Set<string>>();
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined) continue;
    const waiting = importsOf(file);
    for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
      const known = users.get(chunk) ?? new Set();
      users.set(chunk, known);
      if (known.has(file)) continue;
      known.add(file);
      waiting.push(...importsOf(chunk));
    }
  }
  return Object.entries(outputs)
    .filter(([, { entryPoint }]) => entryPoint === undefined)
    .map(([name, { bytes: own, imports }]) => {
      const programs = users.get(name) ?? new Set<string>();
      const bytes = own + imports.reduce((sum, { path: asked }) => sum + (slowBuiltins.get(asked) ?? 0), 0);
      return { name, bytes, imports: importsOf(name), programs, needs: needsOf(name, outputs).join() };
    });
}

/** Returns the packages that a split file, directly or through its imports, requires from its host: neither bundled nor built into Node. */
function needsOf(file: string, outputs: Outputs): string[] {
  const needs = new Set<string>();
  const reached = new Set([file]);
  // Iterating a set includes elements added meanwhile.
  for (const each of reached)
    for (const { kind, path: asked, external } of outputs[each]?.imports ?? []) {
      if (kind === "dynamic-import") continue;
      if (outputs[asked] !== undefined) reached.add(asked);
      else if (external === true && !isBuiltin(asked) && !asked.startsWith(".")) needs.add(asked);
    }
  return [...needs].toSorted();
}

/** Returns a part's name, such as `cli-sessions-command` for `src/engine/cli/sessions/sessions-command.ts`. */
function partName(source: string): string {
  const { dir, name } = path.posix.parse(source.replace(/^src\/(?:engine\/)?/u, ""));
  const folder = path.posix.basename(dir);
  // A file named after its folder, such as `budgets/budgets-command.ts`, names it once.
  const parts = name.startsWith(`${folder}-`) ? [path.posix.dirname(dir), name] : [dir, name];
  return path.posix.join(...parts).replaceAll("/", "-");
}

/** Returns the main origin of a merged file's code: a package, or one of our folders. */
function heaviest(group: readonly string[], outputs: Outputs): string {
  const weights = new Map<string, number>();
  for (const file of group) {
    for (const [source, { bytesInOutput }] of Object.entries(outputs[file]?.inputs ?? {})) {
      const filePath = /node_modules\/(?:@[^/]+\/)?(?<name>[^/]+)/u.exec(source)?.groups?.["name"];
      const from = filePath ?? path.posix.basename(path.posix.dirname(source));
      weights.set(from, (weights.get(from) ?? 0) + bytesInOutput);
    }
  }
  const [first] = [...weights].toSorted(([, a], [, b]) => b - a);
  return first?.[0].replaceAll(/[^\w-]/gu, "-") ?? "chunk";
}

function unusedName(name: string, entries: Readonly<Record<string, string>>): string {
  for (let tried = name, count = 2; ; tried = `${name}-${count}`, count += 1)
    if (entries[tried] === undefined) return tried;
}

function unusedIn(taken: Set<string>, name: string): string {
  for (let tried = name, count = 2; ; tried = `${name}${count}`, count += 1) {
    if (taken.has(tried)) continue;
    taken.add(tried);
    return tried;
  }
}

/**
 * Makes the second build resolve split files in memory, where the first one left them, and import code in other files by those files' names.
 */
function rejoin({ nameOf, merged }: Layout, outputFiles: readonly OutputFile[], extension: string): Plugin {
  const here = (file: string): string => path.relative(process.cwd(), file).replaceAll(path.sep, "/");
  const code = new Map(outputFiles.map((file) => [here(file.path), file.text]));
  return {
    name: "rejoin",
    setup(bundle) {
      bundle.onResolve({ filter: /./ }, ({ path: asked, kind, importer, resolveDir, namespace }) => {
        if (kind === "entry-point")
          return asked.endsWith(mergedSuffix)
            ? { path: asked, namespace: "merged" }
            : { path: path.resolve(asked) };
        const file = here(path.resolve(resolveDir, asked));
        const name = nameOf.get(file);
        // A package of Node or the editor, or a program of another build.
        if (name === undefined || namespace === "elsewhere") return { path: asked, external: true };
        const asker =
          namespace === "merged" ? path.basename(importer, mergedSuffix) : nameOf.get(here(importer));
        if (name === asker) return { path: path.resolve(file) };
        return merged.has(name)
          ? { path: file, namespace: "elsewhere" }
          : { path: `./${name}${extension}`, external: true };
      });
      bundle.onLoad({ filter: /./, namespace: "merged" }, ({ path: asked }) => {
        const members = merged.get(path.basename(asked, mergedSuffix)) ?? [];
        const contents = members.map(({ file, names }) => reexport([...names], `./${file}`)).join("\n");
        return { contents, resolveDir: process.cwd() };
      });
      bundle.onLoad({ filter: /./, namespace: "elsewhere" }, ({ path: file }) => {
        const name = nameOf.get(file) ?? "";
        const names = merged.get(name)?.find((member) => member.file === file)?.names ?? [];
        const back = [...names].map(([inside, outside]) => [outside, inside] as const);
        return { contents: reexport(back, `./${name}${extension}`) };
      });
      bundle.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        const contents = code.get(here(file));
        return contents === undefined ? undefined : { contents, resolveDir: path.dirname(file) };
      });
    },
  };
}

function reexport(names: readonly (readonly [from: string, to: string])[], file: string): string {
  const list = names.map(([from, to]) => `${from} as ${to}`).join(", ");
  return `export { ${list} } from ${JSON.stringify(file)};`;
}
