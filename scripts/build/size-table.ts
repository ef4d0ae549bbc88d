import path from "node:path";
import type { Metafile } from "esbuild";

/** Size of a built file, in bytes. */
export interface FileSize {
  /** Without its extension. */
  readonly name: string;
  readonly own: number;
  /** Including every file that is loaded before it runs. */
  readonly whole: number;
  readonly isShared: boolean;
  /** Names of the unshared files that load it before they run. */
  readonly users: readonly string[];
}

/**
 * Returns the sizes of a build's files, largest first.
 * @param prefixes prefixes of shared files' names
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

/** Returns the shared files that are loaded before a file runs. Any other file is imported dynamically, and loaded later, if at all. */
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

const maxNames = 5;

/** Describes a file in one line: `shared-yaml: 116516 bytes, for compare-host golden-new rent-parts`. */
export function describeSize({ name, own, whole, users }: FileSize): string {
  const all = whole > own ? `, ${whole} with what it loads` : "";
  if (users.length === 0) return `${name}: ${own} bytes${all}`;
  const who = users.length > maxNames ? `${users.length} files` : users.join(" ");
  return `${name}: ${own} bytes${all}, for ${who}`;
}
