/** Names that a file imports from another one. */
export interface Import {
  readonly source: string;
  /** Without the default export and `* as` names. */
  readonly names: readonly string[];
}

/** Maximum length of a text in which imports are read. Characters. */
const maxTextLength = 200_000;

/** An import at the beginning of a line. */
const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:(?<own>[\w$]+)(?:\s*,)?\s*)?(?:(?:\{(?<names>[^{}'"`]{0,4000})\}|\*\s+as\s+[\w$]+|\*)\s*)?from\s*(?<quote>["'])(?<source>[^"'\n]{1,300})\k<quote>/gmu;
const bare = /^import\s*(?<quote>["'])(?<source>[^"'\n]{1,300})\k<quote>/gmu;
const required =
  /^(?:const|let|var)\s[^=\n]{1,300}=\s*require\(\s*(?<quote>["'])(?<source>[^"'\n]{1,300})\k<quote>\s*\)/gmu;

/** Returns the imports of JavaScript or TypeScript code. */
export function javascriptImports(text: string): Import[] {
  if (text.length > maxTextLength) return [];
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
    .map((each) => each.trim().replace(/^type\s+(?=[\w$])/u, ""))
    .map((each) => each.split(/(?<!\s)\s+as\s+/u)[0] ?? "")
    .filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && name !== "default");
}

function withoutComments(text: string): string {
  // Without an end, no comment is possible. A pattern for each would search to the end of the text.
  const end = text.lastIndexOf("*/") + 2;
  const closed = end < 2 ? "" : text.slice(0, end).replaceAll(/\/\*[^]*?\*\//gu, "");
  return `${closed}${end < 2 ? text : text.slice(end)}`.replaceAll(/(?<=^|\s)\/\/.*$/gmu, "");
}

/** Whether a place is in a template, which often has the text of a program. */
function isInTemplate(text: string, at: number): boolean {
  let ticks = 0;
  for (let index = text.indexOf("`"); index !== -1 && index < at; index = text.indexOf("`", index + 1))
    ticks += 1;
  return ticks % 2 === 1;
}

const pythonImport =
  /^from[ \t]+(?<source>\.[\w.]*)[ \t]+import[ \t]+(?:\((?<several>[^()'"]{0,4000})\)|(?<names>[^\n(;'"]{1,1000}))/gmu;

/** Returns what Python code imports from its own package. */
export function pythonImports(text: string): Import[] {
  if (text.length > maxTextLength || /"""|'''/u.test(text)) return [];
  return Array.from(text.matchAll(pythonImport)).flatMap((match) => {
    const { source, several, names } = match.groups ?? {};
    if (source === undefined) return [];
    const list = (several ?? names ?? "").replaceAll(/#.*/gu, "").replaceAll("\\", "");
    const all = list.split(",").map((each) => each.trim().split(/(?<!\s)\s+as\s+/u)[0] ?? "");
    return [{ source, names: all.filter((name) => /^[A-Za-z_]\w*$/u.test(name)) }];
  });
}

/** Maximum length of a file with exports. Characters. */
const maxSourceLength = 400_000;
/** All names in this many characters after a declaration count as declared. */
const maxDeclarationLength = 2000;

/** Code that adds exports without naming them in an export statement. */
const isDynamic =
  /\bmodule\.exports\b|(?<![\w.])exports\s*[.[=]|defineProperty\(\s*exports|\bdeclare\s+(?:module|global)\b|\bexport\s*=|\bexport\s+as\s+namespace\b|\bexport\s*\*\s*from\b|\bexport\s+type\s*\*\s*from\b/u;

const declaration =
  /^(?:(?:declare|abstract|async|const(?=\s+enum))\s+)*(?:function(?:\s*\*)?|class|interface|type|enum|namespace|module|import)\s*(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Returns the exports of JavaScript or TypeScript code, perhaps with other names; null if there may be more. */
export function javascriptExports(text: string): Set<string> | null {
  if (text.length > maxSourceLength || isDynamic.test(text)) return null;
  const names = new Set<string>();
  let statements = 0;
  for (const { index } of text.matchAll(/(?<![\w$.])export(?![\w$])/gu)) {
    const rest = text.slice(index + "export".length, index + maxDeclarationLength).trimStart();
    const found = namesBehind(rest);
    if (found !== null) {
      statements += 1;
      for (const name of found) names.add(name);
    } else if (/(?:^|[\n;}])[ \t]*$/u.test(text.slice(Math.max(0, index - 200), index))) return null;
  }
  return statements === 0 ? null : names;
}

const anyName = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Returns the names that follow the word `export`; null where no known form follows. */
function namesBehind(rest: string): string[] | null {
  const named = declaration.exec(rest)?.groups?.["name"];
  if (named !== undefined) return [named];
  if (/^default(?![\w$])/u.test(rest)) return ["default"];
  const whole = /^\*\s*as\s+(?<name>[\w$]+)/u.exec(rest)?.groups?.["name"];
  if (whole !== undefined) return [whole];
  const list = /^(?:type\s*)?\{(?<list>[^}]*)\}/u.exec(rest)?.groups?.["list"];
  if (list !== undefined) return list.match(anyName) ?? [];
  // More names may follow, and names in patterns look like others. Too many are better than too few.
  const values = /^(?:declare\s+)?(?:const|let|var)\s(?<rest>[^]*)$/u.exec(rest)?.groups?.["rest"];
  if (values === undefined) return null;
  const end = values.search(/\n[ \t]*\r?\n|\n(?:export|import|function|class)\b/u);
  return (end === -1 ? values : values.slice(0, end)).match(anyName) ?? [];
}

/** Returns the names that a file of Python defines; null where it may define others. */
export function pythonNames(text: string): string[] | null {
  const isOpen = /\bimport\s*\*|__getattr__|globals\(|\bexec\(|setattr\(|sys\.modules|vars\(|locals\(/u;
  if (text.length > maxSourceLength || isOpen.test(text)) return null;
  return Array.from(
    text.matchAll(/^(?:(?:async\s+)?def|class)\s+(?<name>\w+)|^(?<value>[A-Za-z_]\w*)\s*(?::[^=\n]+)?=/gmu),
    (match) => match.groups?.["name"] ?? match.groups?.["value"] ?? "",
  );
}

/** Whether a text has a name as a word of its own. */
export function hasWord(text: string, name: string): boolean {
  const part = /[\p{L}\p{N}_$]/u;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!part.test(text[at - 1] ?? "") && !part.test(text[at + name.length] ?? "")) return true;
  return false;
}
