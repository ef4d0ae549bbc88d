import path from "node:path";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import { type PathClaim, isWithin } from "../claims/claim.ts";
import { type FactPorts, listed, missing, quoted } from "./check.ts";

/** Checks whether a path that a call reads is there. */
export async function checkPath(claim: PathClaim, ports: FactPorts): Promise<Finding | null> {
  if ((await ports.look(claim.path)) !== "none") return null;
  const { folder, shown } = claim;
  // A missing folder is reported by itself, or an unseen command makes it.
  if (folder !== null && (await ports.look(folder)) !== "folder") return null;
  if (claim.isSearched && (await isSearched(shown, ports))) return null;
  const project = ports.projectOf(folder ?? path.dirname(claim.path));
  const parent = path.dirname(claim.path);
  const siblings = await ports.list(parent);
  const isInside = isWithin(claim.path, project);
  // A path outside the project is often one of another place, such as a container.
  if (!isInside && siblings === null) return null;
  const found = await nearPaths(claim.path, { project, isInside, siblings: siblings ?? [] }, ports);
  const from = folder ?? project;
  const isAbsolute = folder === null || path.isAbsolute(shown);
  const nearest = found.map((each) => relativeTo(from, each, isAbsolute));
  return missing("missing-path", {
    about: claim.path,
    says: `${quoted(shown)} does not exist${folder === null ? "" : ` (looked for in ${quoted(folder)})`}.`,
    nearest:
      nearest.length > 0
        ? `The nearest that is there: ${listed(nearest)}.`
        : await lastThere(claim.path, { from, isAbsolute }, ports),
  });
}

async function isSearched(name: string, { searched, look }: FactPorts): Promise<boolean> {
  for (const folder of searched) if ((await look(path.join(folder, name))) !== "none") return true;
  return false;
}

interface Surroundings {
  readonly project: string;
  readonly isInside: boolean;
  readonly siblings: readonly string[];
}

/** Maximum files of a project that are compared by their names. */
const maxCompared = 30_000;

async function nearPaths(
  file: string,
  { project, isInside, siblings }: Surroundings,
  ports: FactPorts,
): Promise<string[]> {
  const name = path.basename(file);
  const parent = path.dirname(file);
  const stem = stemOf(name);
  const beside = nearestOf(
    name,
    siblings.filter((sibling) => stemOf(sibling) === stem || nearestOf(name, [sibling]).length > 0),
  );
  const close = beside.filter((each) => stemOf(each).toLowerCase() === stem.toLowerCase());
  if (close.length > 0) return close.slice(0, 2).map((each) => path.join(parent, each));
  const files = isInside ? (await ports.filesOf(project)).slice(0, maxCompared) : [];
  const same = files.filter((each) => path.posix.basename(each) === name);
  const relative = path.relative(project, file).split(path.sep).join("/");
  const elsewhere =
    same.length > 0
      ? same.toSorted((one, other) => shared(other, relative) - shared(one, relative)).slice(0, 3)
      : folderNamed(name, files);
  const all = [
    ...elsewhere.map((each) => path.join(project, each)),
    ...(same.length > 0 ? [] : beside.map((each) => path.join(parent, each))),
  ];
  const near = all.length > 0 ? all : nearNames(name, files).map((each) => path.join(project, each));
  const there = await Promise.all(
    near.map(async (each) => ((await ports.look(each)) === "none" ? [] : [each])),
  );
  return [...new Set(there.flat())].slice(0, 3);
}

/** Returns folders of this name: projects list only files. */
function folderNamed(name: string, files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const at = `/${file}`.indexOf(`/${name}/`);
    if (at !== -1) found.add(file.slice(0, at + name.length));
    if (found.size > 2) break;
  }
  return [...found];
}

function nearNames(name: string, files: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const file of files) {
    const other = path.posix.basename(file);
    // Comparing letter by letter is slow.
    if (Math.abs(other.length - name.length) <= 3 && isAlike(other, name)) byName.set(other, file);
  }
  return nearestOf(name, byName.keys()).flatMap((each) => byName.get(each) ?? []);
}

function isAlike(one: string, other: string): boolean {
  return other.startsWith(one.slice(0, 1)) || other.endsWith(one.slice(-5));
}

/** Returns the number of folders that two paths have in common. */
function shared(one: string, other: string): number {
  const others = new Set(other.split("/"));
  return one.split("/").filter((part) => others.has(part)).length;
}

function stemOf(name: string): string {
  const at = name.indexOf(".", 1);
  return at === -1 ? name : name.slice(0, at);
}

/** Says which of the folders around a path is there. */
async function lastThere(
  file: string,
  { from, isAbsolute }: { readonly from: string; readonly isAbsolute: boolean },
  { look }: FactPorts,
): Promise<string> {
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at))
    if ((await look(at)) === "folder")
      return `The nearest that is there: the folder ${quoted(relativeTo(from, at, isAbsolute))}.`;
  return "";
}

function relativeTo(folder: string, file: string, isAbsolute: boolean): string {
  if (isAbsolute || !isWithin(file, folder)) return file;
  const relative = path.relative(folder, file);
  return relative === "" ? "." : relative.split(path.sep).join("/");
}
