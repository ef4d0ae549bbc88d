/**
 * `npm run figures`: prints the size of the code base and how its rooms are connected. Files and folders that exceed a guideline are listed as
 * warnings; none of them fails the check.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { importsIn } from "./imports.ts";

const root = path.resolve(import.meta.dirname, "..");
const maxLines = 350;
const maxFiles = 20;
const smallFile = 30; // lines
const composition = "engine/service/compose.ts";

interface SourceFile {
  /** Below `src`, with slashes. */
  readonly file: string;
  readonly lines: number;
}

const files: readonly SourceFile[] = globSync("**/*.ts", { cwd: path.join(root, "src") }).map((file) => ({
  file: file.replaceAll(path.sep, "/"),
  lines: readFileSync(path.join(root, "src", file), "utf8").split("\n").length - 1,
}));
const imports = importsIn(path.join(root, "src"));

/** The engine's room of a file; undefined outside the engine. */
const roomOf = (file: string) => /^engine\/([^/]+)\//u.exec(file)?.[1];

/** Files of the engine that another room imports. */
function publicFiles(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [importer, imported] of imports) {
    const from = roomOf(importer);
    if (from === undefined) continue;
    for (const file of imported) {
      const room = roomOf(file);
      if (room !== undefined && room !== from) found.add(file);
    }
  }
  return found;
}

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));
const kilobytes = (file: string) => `${(statSync(path.join(root, file)).size / 1000).toFixed(1)} kB`;
const packages = globSync("out/*.vsix", { cwd: root });

const figures: readonly (readonly [string, string | number])[] = [
  ["TypeScript lines in src", files.reduce((sum, { lines }) => sum + lines, 0)],
  ["files in src", files.length],
  [`files under ${smallFile} lines`, files.filter(({ lines }) => lines < smallFile).length],
  ["engine files imported from other rooms", publicFiles().size],
  ["imports of the composition", imports.get(composition)?.length ?? "none"],
  ["scripts", Object.keys(scripts).length],
  ["README", kilobytes("README.md")],
  ["ARCHITECTURE", kilobytes("ARCHITECTURE.md")],
  ...packages.map((file) => ["package", kilobytes(file)] as const),
];
const width = Math.max(...figures.map(([name]) => name.length));
for (const [name, value] of figures) console.log(`${name.padEnd(width)}  ${String(value).padStart(9)}`);

const counts = new Map<string, number>();
for (const { file } of files) {
  const folder = path.posix.dirname(file);
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}
const warnings = [
  ...files
    .filter(({ lines }) => lines > maxLines)
    .map(({ file, lines }) => `src/${file} has ${lines} lines (guideline: ${maxLines})`),
  ...[...counts]
    .filter(([, count]) => count > maxFiles)
    .map(([folder, count]) => `src/${folder} has ${count} files (guideline: ${maxFiles})`),
];
for (const warning of warnings) console.log(`warning: ${warning}`);
