import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";

/** The root of this repository. */
export const repository = resolve(import.meta.dirname, "../..");

/** Folder of generated files; not in version control. */
export const outFolder = join(repository, "out");

const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** The packed extension, as `npm run package` writes it. */
export async function packedExtension(): Promise<string> {
  const text = await readFile(join(repository, "package.json"), "utf8");
  const { name, version } = manifestSchema.parse(JSON.parse(text));
  return join(outFolder, `${name}-${version}.vsix`);
}
