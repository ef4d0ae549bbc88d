import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { build, type Metafile } from "esbuild";
import fc from "fast-check";
import { z } from "zod";
import { sharedChunks } from "./shared-chunks.ts";

const scratch = mkdtempSync(path.join(os.tmpdir(), "purser-chunks-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;

interface Built {
  readonly folder: string;
  readonly files: readonly string[];
  readonly written: Metafile | undefined;
}

/** Builds programs from the given sources, by file name, the way they are shipped. */
async function buildOf(
  sources: Readonly<Record<string, string>>,
  names: readonly string[],
  { fileCost = 2000, minify = true }: { readonly fileCost?: number; readonly minify?: boolean } = {},
): Promise<Built> {
  const filePath = path.join(scratch, String((count += 1)));
  mkdirSync(path.join(filePath, "parts"), { recursive: true });
  for (const [name, text] of Object.entries(sources))
    writeFileSync(path.join(filePath, name.endsWith(".cjs") ? name : `${name}.ts`), text);
  const outdir = path.join(filePath, "dist");
  const programs = Object.fromEntries(names.map((name) => [name, path.join(filePath, `${name}.ts`)]));
  let written: Metafile | undefined;
  await build({
    entryPoints: programs,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    minify,
    outdir: path.join(filePath, "split"),
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [
      sharedChunks({
        programs: Object.fromEntries(
          Object.entries(programs).map(([name, file]) => [
            name,
            path.relative(process.cwd(), file).replaceAll(path.sep, "/"),
          ]),
        ),
        options: {
          outdir,
          format: "cjs",
          platform: "node",
          minify,
          logLevel: "silent",
          supported: { "dynamic-import": false },
        },
        extension: ".cjs",
        prefix: "shared-",
        fileCost,
        weigh: (metafile) => {
          written = metafile;
          return [];
        },
      }),
    ],
  });
  return { folder: outdir, files: readdirSync(outdir).toSorted(), written };
}

const run = (folder: string, name: string): string =>
  execFileSync(process.execPath, [path.join(folder, `${name}.cjs`)], { encoding: "utf8" }).trim();

test("programs share one file and run as if each had its own copy", async () => {
  const { folder, files } = await buildOf(
    {
      tally:
        "let count = 0; export const next = () => (count += 1); export default class Tally { name = 'tally' }",
      words: "import * as tally from './tally.ts'; export const say = (word: string) => word + tally.next();",
      one: "import Tally, { next } from './tally.ts'; import { say } from './words.ts'; next(); console.log(say('one'), new Tally().name);",
      two: "import { say } from './words.ts'; console.log(say('two'), say('two'));",
    },
    ["one", "two"],
  );
  assert.equal(files.filter((file) => file.startsWith("shared-")).length, 1);
  assert.deepEqual([...files.filter((file) => !file.startsWith("shared-"))], ["one.cjs", "two.cjs"]);
  assert.equal(run(folder, "one"), "one2 tally");
  assert.equal(run(folder, "two"), "two1 two2");
});

test("a part that is imported dynamically is a file of its own, loaded when it is asked for", async () => {
  const { folder, files } = await buildOf(
    {
      log: "export const log: string[] = [];",
      "parts/late":
        "import { log } from '../log.ts'; log.push('late'); export const late = () => log.join();",
      one: "import { log } from './log.ts'; log.push('one'); import('./parts/late.ts').then(({ late }) => console.log(late()));",
      two: "import { log } from './log.ts'; console.log(log.length);",
    },
    ["one", "two"],
  );
  assert.ok(
    files.some((file) => file.endsWith("parts-late.cjs")),
    files.join(),
  );
  assert.equal(run(folder, "one"), "one,late");
  assert.equal(run(folder, "two"), "0");
  assert.doesNotMatch(readFileSync(path.join(folder, "one.cjs"), "utf8"), /import\(/u);
});

test("modules of a circle stay together, and a CommonJS package is shared too", async () => {
  const { folder } = await buildOf(
    {
      even: "import { odd } from './odd.ts'; export const even = (n: number): boolean => n === 0 || odd(n - 1);",
      odd: "import { even } from './even.ts'; export const odd = (n: number): boolean => n !== 0 && even(n - 1);",
      "old.cjs": "const path = require('node:path'); exports.base = (file) => path.basename(file);",
      one: "import { even } from './even.ts'; import { base } from './old.cjs'; import os from 'node:os'; console.log(even(10), base('a/b'), typeof os.EOL);",
      two: "import { odd } from './odd.ts'; import old from './old.cjs'; console.log(odd(10), old.base('c/d'));",
    },
    ["one", "two"],
  );
  assert.equal(run(folder, "one"), "true b string");
  assert.equal(run(folder, "two"), "false d");
});

test("two parts that would have the same name are refused", async () => {
  const built = buildOf(
    {
      "parts/late": "export const late = 1;",
      "parts-late": "export const late = 2;",
      one: "Promise.all([import('./parts/late.ts'), import('./parts-late.ts')]).then((all) => console.log(all));",
    },
    ["one"],
  );
  await assert.rejects(built, /Two parts would be named \S+-parts-late: rename \S+parts/u);
});

/** Modules that import earlier ones and compute their values from theirs, and programs that print some. */
const anyGraph = fc.record({
  modules: fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
  programs: fc.array(fc.array(fc.nat(11), { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 5 }),
  fileCost: fc.constantFrom(0, 30, 100, 1000, Number.MAX_SAFE_INTEGER),
  minify: fc.boolean(),
});

test("programs behave as their sources, and run each module once, with any shared chunks", async () => {
  const property = fc.asyncProperty(anyGraph, async ({ modules, programs, fileCost, minify }) => {
    const sources: Record<string, string> = {};
    for (const [index, wanted] of modules.entries()) {
      const others = [...new Set(wanted)].filter((other) => other < index);
      const sum = [String(index), ...others.map((other) => `value${other}()`)].join(" + ");
      sources[`m${index}`] = [
        ...others.map((other) => `import { value as value${other} } from "./m${other}.ts";`),
        `const at = ${sum}; globalThis.ran.push(${index}); export const value = () => at;`,
      ].join("\n");
    }
    const names = programs.map((_, index) => `p${index}`);
    for (const [index, wanted] of programs.entries()) {
      const used = [...new Set(wanted.map((other) => other % modules.length))];
      sources[`p${index}`] = [
        ...used.map((other) => `import { value as value${other} } from "./m${other}.ts";`),
        `export const shown = [${used.map((other) => `value${other}()`).join(", ")}];`,
      ].join("\n");
    }
    const values: number[] = [];
    for (const [index, wanted] of modules.entries()) {
      const others = [...new Set(wanted)].filter((other) => other < index);
      values.push(others.reduce((sum, other) => sum + (values[other] ?? 0), index));
    }
    const { folder } = await buildOf(sources, names, { fileCost, minify });
    const require = createRequire(path.join(folder, "test.cjs"));
    const ran: number[] = [];
    Object.assign(globalThis, { ran });
    for (const [index, wanted] of programs.entries()) {
      const used = [...new Set(wanted.map((other) => other % modules.length))];
      const { shown } = z.object({ shown: z.array(z.number()) }).parse(require(`./p${index}.cjs`));
      assert.deepEqual(
        shown,
        used.map((other) => values[other]),
      );
    }
    // One process loaded all programs, so shared code ran only for the first.
    assert.equal(new Set(ran).size, ran.length);
  });
  await fc.assert(property, { numRuns: 12 });
});

test("the build fails with a message about the files' sizes", async () => {
  const file = path.join(scratch, "heavy");
  mkdirSync(file);
  const source = path.join(file, "one.ts");
  writeFileSync(source, "console.log(1);");
  const heavy = build({
    entryPoints: { one: source },
    bundle: true,
    splitting: true,
    format: "esm",
    logLevel: "silent",
    outdir: path.join(file, "split"),
    write: false,
    metafile: true,
    plugins: [
      sharedChunks({
        programs: { one: source },
        options: { outdir: file, format: "cjs" },
        fileCost: 0,
        extension: ".cjs",
        prefix: "shared-",
        weigh: () => [{ text: "one weighs too much" }],
      }),
    ],
  });
  await assert.rejects(heavy, /one weighs too much/u);
});
