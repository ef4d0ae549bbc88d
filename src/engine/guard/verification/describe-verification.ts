import path from "node:path";
import { cleanText } from "../../base/text/text.ts";
import type { ProjectCheck } from "./project-checks.ts";

const mostNamed = 3;
const mostChecks = 3;

/** Names files as a person in a folder would: `mast.ts, sail.ts and 2 more`. */
export function namedFiles(files: readonly string[], cwd: string | undefined): string {
  const named = files.slice(0, mostNamed).map((file) => nameOf(file, cwd));
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return `${named.join(", ")}${more}`;
}

function nameOf(file: string, cwd: string | undefined): string {
  // An agent on Windows may run in a shell that names files in another way.
  const rules = /^[A-Za-z]:[\\/]|\\/u.test(file) ? path.win32 : path.posix;
  const near = cwd === undefined ? file : rules.relative(cwd, file);
  return cleanText(
    (near.startsWith("..") || rules.isAbsolute(near) ? rules.basename(file) : near).slice(0, 120),
  );
}

/** Names checks of a project: a test before a linter, and a build last. */
export function namedChecks(checks: readonly ProjectCheck[]): string {
  const order = ["test", "types", "lint", "build"];
  const names = checks
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
    .slice(0, mostChecks)
    .map(({ command }) => `\`${cleanText(command)}\``);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** The sentences for an agent with edits that nothing has checked. */
export function describeUnchecked(
  { edits, files }: { readonly edits: number; readonly files: readonly string[] },
  checks: readonly ProjectCheck[],
  cwd: string | undefined,
): string {
  const fact = `${edits} edits of code (${namedFiles(files, cwd)}), and nothing has been checked since.`;
  const known = namedChecks(checks);
  return known === ""
    ? `${fact} Run a test, a build or the program itself before you edit on.`
    : `${fact} This project has ${known}: run what tells most about these edits before you edit on.`;
}
