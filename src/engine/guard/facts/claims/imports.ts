/** Names that a file imports from another one. */
export interface Import {
  readonly source: string;
  /** Without the default export, and without names that are given to a whole file. */
  readonly names: readonly string[];
}

/** Longer texts are not read. Characters. */
const longest = 200_000;

/** An import at the beginning of a line. */
const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:(?<own>[\w$]+)(?:\s*,)?\s*)?(?:(?:\{(?<names>[^{}'"`]{0,4000})\}|\*\s+as\s+[\w$]+|\*)\s*)?from\s*(?<quote>["'])(?<source>[^"'\n]{1,300})\k<quote>/gmu;
const bare = /^import\s*(?<quote>["'])(?<source>[^"'\n]{1,300})\k<quote>/gmu;
const required =
  /^(?:const|let|var)\s[^=\n]{1,300}=\s*require\(\s*(?<quote>["'])(?<source>[^"'\n]{1,300})\k<quote>\s*\)/gmu;

/** Returns the imports of a file of JavaScript or TypeScript, or of a part of it. Imports within a longer text may be data. */
export function javascriptImports(text: string): Import[] {
  if (text.length > longest) return [];
  const plain = withoutComments(text);
  return [statement, bare, required].flatMap((pattern) =>
    Array.from(plain.matchAll(pattern)).flatMap((match) => {
      const { source, names = "" } = match.groups ?? {};
      if (source === undefined || isInTemplate(plain, match.index)) return [];
      return [{ source, names: namesOf(names) }];
    }),
  );
}

function namesOf(list: string): string[] {
  return list
    .split(",")
    .map(
      (each) =>
        each
          .trim()
          .replace(/^type\s+(?=[\w$])/u, "")
          .split(/(?<!\s)\s+as\s+/u)[0] ?? "",
    )
    .filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && name !== "default");
}

function withoutComments(text: string): string {
  // Without an end, no comment is possible. A pattern for each would search to the end of the text.
  const end = text.lastIndexOf("*/") + 2;
  const closed = end < 2 ? "" : text.slice(0, end).replaceAll(/\/\*[^]*?\*\//gu, "");
  return `${closed}${end < 2 ? text : text.slice(end)}`.replaceAll(/(?<=^|\s)\/\/.*$/gmu, "");
}

/** Whether a place is within a template, of which many have a program's text. */
function isInTemplate(text: string, at: number): boolean {
  let ticks = 0;
  for (let index = text.indexOf("`"); index !== -1 && index < at; index = text.indexOf("`", index + 1))
    ticks += 1;
  return ticks % 2 === 1;
}

const pythonImport =
  /^from[ \t]+(?<source>\.[\w.]*)[ \t]+import[ \t]+(?:\((?<several>[^()'"]{0,4000})\)|(?<names>[^\n(;'"]{1,1000}))/gmu;

/** Returns what a file of Python, or a part of it, imports from its own package. */
export function pythonImports(text: string): Import[] {
  if (text.length > longest || /"""|'''/u.test(text)) return [];
  return Array.from(text.matchAll(pythonImport)).flatMap((match) => {
    const { source, several, names } = match.groups ?? {};
    if (source === undefined) return [];
    const list = (several ?? names ?? "").replaceAll(/#.*/gu, "").replaceAll("\\", "");
    const all = list.split(",").map((each) => each.trim().split(/(?<!\s)\s+as\s+/u)[0] ?? "");
    return [{ source, names: all.filter((name) => /^[A-Za-z_]\w*$/u.test(name)) }];
  });
}
