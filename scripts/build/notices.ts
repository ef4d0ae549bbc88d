import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const packageFacts = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** A bundled library and the licence under which it may be passed on. */
interface Library {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** Names that packages give the file with their licence. */
const licenceFiles = "{LICENSE,LICENCE,License,license}{,.md,.txt,-MIT,.BSD}";

/**
 * Returns the text of `ThirdPartyNotices.txt`: the licence of every library with code in the bundles, by name.
 * @param inputs paths of bundled files, as esbuild's metafiles list them
 * @throws {Error} for a library without the text of its licence, which must not be passed on
 */
export function noticesOf(inputs: Iterable<string>, root: string): string {
  const folders = new Set([...inputs].map(packageFolder).filter((folder) => folder !== undefined));
  const libraries = [...folders].map((folder) => readLibrary(path.resolve(root, folder)));
  const sorted = libraries.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
  const parts = sorted.map(
    ({ name, version, licence, text }) =>
      `${"-".repeat(80)}\n${name} ${version} (${licence})\n\n${text.trim()}\n`,
  );
  return `Context Purser contains code of these libraries.\n\n${parts.join("\n")}`;
}

/** Returns the folder of the package that holds a bundled file; undefined for the project's own files. */
function packageFolder(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(file.replaceAll("\\", "/"))?.[0];
}

function readLibrary(folder: string): Library {
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const { name, version, license } = packageFacts.parse(manifest);
  const [file] = globSync(licenceFiles, { cwd: folder }).toSorted();
  if (file === undefined) throw new Error(`${folder} has no file with its licence, so it cannot be bundled.`);
  const text = readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n");
  return { name, version, licence: license, text };
}
