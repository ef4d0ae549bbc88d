import path from "node:path";
import type { Metafile } from "esbuild";

/** What a file that was built weighs, in bytes. */
export interface FileSize {
  /** Without its ending. */
  readonly name: string;
  readonly own: number;
  /** With every file that is loaded before it runs. */
  readonly whole: number;
  readonly isShared: boolean;
  /** Names of the files that load it before they run, and are not shared themselves. */
  readonly users: readonly string[];
}

/**
 * Returns what the files of a build weigh, the heaviest first.
 * @param prefixes how the names of files begin that are shared
 */
export function sizeTable(outputs: Metafile["outputs"], prefixes: readonly string[]): FileSize[] {
  const files = Object.keys(outputs).filter((file) => !file.endsWith(".map"));
  const nameOf = (file: string): string => path.posix.parse(file).name;
  const isShared = (file: string): boolean => prefixes.some((prefix) => nameOf(file).startsWith(prefix));
  const loads = new Map(files.map((file) => [file, loadedBy(file, outputs, isShared)]));
  return files
    .map((file): FileSize => {
      const own = outputs[file]?.bytes ?? 0;
      const whole = [...(loads.get(file) ?? [])].reduce(
        (sum, each) => sum + (outputs[each]?.bytes ?? 0),
        own,
      );
      const users = files.filter((user) => !isShared(user) && loads.get(user)?.has(file));
      return {
        name: nameOf(file),
        own,
        whole,
        isShared: isShared(file),
        users: users.map(nameOf).toSorted(),
      };
    })
    .toSorted((a, b) => b.whole - a.whole);
}

/** Returns the files that are loaded before a file runs: shared ones. Any other is imported dynamically, and loaded later, if at all. */
function loadedBy(
  file: string,
  outputs: Metafile["outputs"],
  isShared: (file: string) => boolean,
): ReadonlySet<string> {
  const loaded = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { path: asked } of outputs[next]?.imports ?? []) {
      const other = path.posix.join(path.posix.dirname(next), asked);
      if (outputs[other] === undefined || !isShared(other) || other === file || loaded.has(other)) continue;
      loaded.add(other);
      waiting.push(other);
    }
  }
  return loaded;
}

const namesToTell = 5;

/** Returns a line about a file: `shared-yaml: 116516 bytes, for compare-host golden-new rent-parts`. */
export function inWords({ name, own, whole, users }: FileSize): string {
  const all = whole > own ? `, ${whole} with what it loads` : "";
  if (users.length === 0) return `${name}: ${own} bytes${all}`;
  const who = users.length > namesToTell ? `${users.length} files` : users.join(" ");
  return `${name}: ${own} bytes${all}, for ${who}`;
}
