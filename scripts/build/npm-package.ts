import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { packedName } from "../../src/engine/bench/fixture/fixture-files.ts";
import { packTexts } from "./packed-texts.ts";

const manifestShape = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  type: z.string(),
  bin: z.record(z.string(), z.string()),
  exports: z.record(z.string(), z.unknown()),
  engines: z.object({ node: z.string() }),
  keywords: z.array(z.string()),
  homepage: z.string(),
  repository: z.unknown(),
  bugs: z.unknown(),
});

/** What the terminal needs besides its programs. Panels, pictures and the sample are for an editor. */
const others = [
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "dist/sql-wasm.wasm.br",
  "dist/build.json",
  "dist/ThirdPartyNotices.txt",
  "dist/budget.{mjs,d.mts}",
  "media/guide/*.md",
  "media/schemas/*.json",
  "media/tasks/*",
  "golden/!(recordings)/**",
  "golden/*.json",
];

/**
 * Packs what `purser` needs in a terminal, as `npm install -g context-purser` gets it.
 * @param root a checkout with a production build
 * @param files of the fixture, relative to it
 * @param folder for the tarball; its path is returned
 */
export function packForNpm(root: string, files: readonly string[], folder: string): string {
  const stage = path.join(folder, "npm");
  rmSync(stage, { recursive: true, force: true });
  const dist = path.join(root, "dist");
  const programs = programsOf(dist, "cli.cjs");
  const wanted = [
    ...globSync(others, { cwd: root }).filter((file) => statSync(path.join(root, file)).isFile()),
    ...programs.map((name) => `dist/${name}`),
  ];
  const copy = (file: string, to = file) => {
    mkdirSync(path.dirname(path.join(stage, to)), { recursive: true });
    cpSync(path.join(root, file), path.join(stage, to));
  };
  for (const file of wanted) copy(file);
  for (const name of files) copy(`fixture/${name}`, `fixture/${packedName(name)}`);
  packTexts(path.join(root, "l10n"), path.join(stage, "dist"), 11, neededIn(dist, programs));
  const { engines, ...manifest } = manifestShape.parse(
    JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")),
  );
  const written = { ...manifest, engines: { node: engines.node } };
  writeFileSync(path.join(stage, "package.json"), `${JSON.stringify(written, null, 2)}\n`);
  const npm = process.env["npm_execpath"];
  const [program, before] = npm?.endsWith("js") === true ? [process.execPath, [npm]] : ["npm", []];
  execFileSync(program, [...before, "pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: stage,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return path.join(folder, `${manifest.name}-${manifest.version}.tgz`);
}

/** Leaves out sentences that only files of the editor contain. One that is found nowhere stays: code may compose it. */
function neededIn(dist: string, programs: readonly string[]): (sentence: string) => boolean {
  const names = globSync("*.{cjs,js}", { cwd: dist });
  const textOf = (files: readonly string[]) =>
    files.map((file) => unescaped(readFileSync(path.join(dist, file), "utf8"))).join("\n");
  const terminal = textOf(names.filter((name) => programs.includes(name)));
  const editor = textOf(names.filter((name) => !programs.includes(name)));
  return (sentence) => {
    const wanted = onOneLine(sentence);
    return terminal.includes(wanted) || !editor.includes(wanted);
  };
}

/** A program's code with the characters that its texts stand for, and white space as single blanks. */
function unescaped(code: string): string {
  const plain = code.replaceAll(
    /\\(?:u(?<unit>[\da-f]{4})|(?<letter>.))/giu,
    (_all, unit: string | undefined, letter: string | undefined) =>
      unit === undefined
        ? letter === "n"
          ? "\n"
          : (letter ?? "")
        : String.fromCharCode(Number.parseInt(unit, 16)),
  );
  return onOneLine(plain);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}

/**
 * Returns the names of a build's files that a program can load or start, itself included: files name each other by plain texts, such as
 * `./shared-zod.cjs` or `service.cjs`.
 */
function programsOf(dist: string, program: string): string[] {
  const all = new Set(globSync("*.cjs", { cwd: dist }));
  const found = new Set([program]);
  for (const file of found) {
    const text = readFileSync(path.join(dist, file), "utf8");
    for (const { groups } of text.matchAll(/["'`/](?<name>[\w-]+)(?:\.cjs)?["'`]/gu)) {
      const name = `${groups?.["name"] ?? ""}.cjs`;
      if (all.has(name)) found.add(name);
    }
  }
  return [...found].toSorted();
}
