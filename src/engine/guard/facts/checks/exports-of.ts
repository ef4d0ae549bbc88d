/** Longer files are not read. Characters. */
const longest = 400_000;
/** Characters behind a declaration in which all names are taken for declared. */
const furthest = 2000;

/** What gives a file exports that its own export statements do not name. */
const isDynamic =
  /\bmodule\.exports\b|(?<![\w.])exports\s*[.[=]|defineProperty\(\s*exports|\bdeclare\s+(?:module|global)\b|\bexport\s*=|\bexport\s+as\s+namespace\b|\bexport\s*\*\s*from\b|\bexport\s+type\s*\*\s*from\b/u;

const declaration =
  /^(?:(?:declare|abstract|async|const(?=\s+enum))\s+)*(?:function(?:\s*\*)?|class|interface|type|enum|namespace|module|import)\s*(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u;

/**
 * Returns the names that a file of JavaScript or TypeScript exports, perhaps with some that it does not; null where it may export others.
 */
export function javascriptExports(text: string): Set<string> | null {
  if (text.length > longest || isDynamic.test(text)) return null;
  const names = new Set<string>();
  let statements = 0;
  for (const { index } of text.matchAll(/(?<![\w$.])export(?![\w$])/gu)) {
    const rest = text.slice(index + "export".length, index + furthest).trimStart();
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
  // Further names may follow, and names in patterns look like others: too many are better than too few.
  const values = /^(?:declare\s+)?(?:const|let|var)\s(?<rest>[^]*)$/u.exec(rest)?.groups?.["rest"];
  if (values === undefined) return null;
  const end = values.search(/\n[ \t]*\r?\n|\n(?:export|import|function|class)\b/u);
  return (end === -1 ? values : values.slice(0, end)).match(anyName) ?? [];
}

/** Returns the names that a file of Python defines; null where it may define others. */
export function pythonNames(text: string): string[] | null {
  const isOpen = /\bimport\s*\*|__getattr__|globals\(|\bexec\(|setattr\(|sys\.modules|vars\(|locals\(/u;
  if (text.length > longest || isOpen.test(text)) return null;
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
