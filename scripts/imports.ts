import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** The imports of each file, including types and dynamic imports. Paths are below the folder that was read, with slashes. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const specifier = /\b(?:from|import)\s*\(?\s*"(?<file>\.{1,2}\/[^"]+)"/gu;

/** Reads the imports of every TypeScript file below a folder. */
export function importsIn(folder: string): Imports {
  const files = globSync("**/*.ts", { cwd: folder }).map((file) => file.replaceAll(path.sep, "/"));
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(folder, file), "utf8");
      const imported = [...text.matchAll(specifier)].map(({ groups }) => groups?.["file"] ?? "");
      return [file, imported.map((each) => path.posix.join(path.posix.dirname(file), each))];
    }),
  );
}
