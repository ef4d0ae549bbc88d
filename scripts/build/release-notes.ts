import { readFileSync } from "node:fs";
import { z } from "zod";
import { isMain } from "../is-main.ts";

/** Returns a version's part of a changelog, without its heading. Null if it has none. */
export function releaseNotes(changelog: string, version: string): string | null {
  const parts = changelog.split(/^## /mu).slice(1);
  const own = parts.find((part) => part.split(/\s/u)[0] === version);
  return own === undefined ? null : own.slice(own.indexOf("\n") + 1).trim();
}

/** Prints the notes of the version in `package.json`. */
function main(): void {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const notes = releaseNotes(readFileSync("CHANGELOG.md", "utf8"), version);
  if (notes === null) throw new Error(`CHANGELOG.md has no part "## ${version}".`);
  console.log(notes);
}

if (isMain(import.meta.filename)) main();
