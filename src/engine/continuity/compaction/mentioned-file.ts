/**
 * Whether a text names a file: by its path, or by the shortest end of it that no other of the files has. Either kind of slash; upper and
 * lower case are one. `index.ts` does not name `my-index.ts`, nor `index.tsx`.
 */
export function mentionsFile(text: string, file: string, files: readonly string[]): boolean {
  const path = plain(file);
  const others = files.map(plain).filter((other) => other !== path);
  const within = plain(text);
  return endsOf(path).some(
    (end) =>
      (end === path || !others.some((other) => other === end || other.endsWith(`/${end}`))) &&
      isNamed(within, end, path),
  );
}

/** Ends of a path by segments, the shortest first, up to the path itself. */
function endsOf(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, at) => segments.slice(segments.length - 1 - at).join("/"));
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\\/]+/gu, "/");
}

/** Characters. */
const longestFolders = 400;
const isOfName = /[\p{L}\p{M}\p{N}_-]/u;

function isNamed(text: string, end: string, path: string): boolean {
  if (end === "") return true;
  for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) {
    if (!isBegun(text, at, path.slice(0, path.length - end.length))) continue;
    const after = text.slice(at + end.length, at + end.length + 2);
    const [next = "", second = ""] = after;
    const goesOn = isOfName.test(next) || next === "/" || (next === "." && isOfName.test(second));
    if (!goesOn) return true;
  }
  return false;
}

/** Whether a name begins at a place in a text. The folders that are named before it must be the file's. @param above the file's folders */
function isBegun(text: string, at: number, above: string): boolean {
  const before = text.slice(Math.max(0, at - longestFolders), at);
  const last = before.slice(-1);
  if (last !== "/") return !isOfName.test(last) && last !== ".";
  const folders = /[^\s"'`()[\]{}<>,;:|*]*$/u.exec(before)?.[0] ?? "";
  // `./name` and `/home/me/project/name` are the file, `other/name` is another.
  const named = folders.replace(/^(?:\.{1,2}\/)+/u, "");
  if (above === "") return named === "" || /^[/~]/u.test(named);
  return named === "" || named === above || named.endsWith(`/${above}`) || above.endsWith(`/${named}`);
}
