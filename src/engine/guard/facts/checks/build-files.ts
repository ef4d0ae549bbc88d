/** Longer build files are not read. Characters. */
const longest = 500_000;
/** Likewise with longer lines. Characters. */
const longestLine = 5000;

/** Parts of a makefile that may give targets which its text does not name. */
const makesMore =
  /^[ ]*(?:-?include|sinclude|vpath|load|-load)\b|^[ \t]*(?:override\s+)?(?:VPATH|MAKEFILES)\b|\$[({](?:eval|call|foreach)\b|^\.DEFAULT\b/mu;

/** Returns the targets of a makefile; null where it may have others. */
export function makeTargets(text: string): string[] | null {
  if (text.length > longest || makesMore.test(text)) return null;
  const names = new Set<string>();
  const lines = text.replaceAll(/\\\r?\n/gu, " ").split(/\r?\n/u);
  for (const line of lines) {
    if (line.length > longestLine) return null;
    if (line.startsWith("\t") || /^\s*(?:#|$)/u.test(line)) continue;
    // A variable. Its name may have anything before its sign.
    const rule = /^(?<targets>[^:=#]+?)&?::?(?!:?:?=)(?<rest>.*)$/u.exec(line);
    const { targets, rest = "" } = rule?.groups ?? {};
    if (targets === undefined || /^\s*(?:export|define|override|ifeq|ifneq|ifdef|ifndef)\b/u.test(line))
      continue;
    if (/[$%*?[]/u.test(targets)) return null;
    for (const name of targets.trim().split(/\s+/u)) if (!name.startsWith(".")) names.add(name);
    // Names of phony targets need no rule.
    if (targets.trim() === ".PHONY") {
      if (rest.includes("$")) return null;
      for (const name of rest.replace(/#.*/su, "").trim().split(/\s+/u)) if (name !== "") names.add(name);
    }
  }
  return [...names];
}

/** Returns the recipes of a justfile; null where it may have others. */
export function justRecipes(text: string): string[] | null {
  if (text.length > longest || /^(?:import|mod)\b|^set\s+fallback\b/mu.test(text)) return null;
  const names = new Set<string>();
  for (const line of text.split(/\r?\n/u)) {
    const alias = /^alias\s+(?<name>[A-Za-z_][\w-]*)\s*:=/u.exec(line)?.groups?.["name"];
    if (alias !== undefined) names.add(alias);
    const recipe = /^@?(?<name>[A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)/u.exec(line)?.groups?.["name"];
    // A default value of a parameter may have a colon of its own.
    const first = /^@?(?<name>[A-Za-z_][\w-]*)\b/u.exec(line)?.groups?.["name"];
    if (recipe !== undefined) names.add(recipe);
    else if (first !== undefined && line.includes(":") && !line.includes(":=")) names.add(first);
  }
  return [...names];
}

/** Returns the tasks of a Taskfile; null where it may have others, or cannot be read line by line. */
export function taskNames(text: string): string[] | null {
  const isOther =
    /^(?:includes|"|'|\{|---\s*\S)|^tasks:[ \t]*[^\s#]|\baliases:|[&*]\w+\s*$|<<:|\{\{\s*\.MATCH/mu;
  if (text.length > longest || isOther.test(text)) return null;
  const lines = text.split(/\r?\n/u);
  const begin = lines.findIndex((line) => /^tasks:\s*(?:#.*)?$/u.test(line));
  if (begin === -1) return null;
  const names: string[] = [];
  let indent: string | null = null;
  for (const line of lines.slice(begin + 1)) {
    if (/^\s*(?:#.*)?$/u.test(line)) continue;
    if (/^\S/u.test(line)) break;
    const own = /^\s+/u.exec(line)?.[0] ?? "";
    indent ??= own;
    if (own !== indent) continue;
    const name =
      /^\s+(?:"(?<double>[^"]+)"|'(?<single>[^']+)'|(?<bare>[\w.*-]+(?::[\w.*-]+)*))\s*:(?:\s|$)/u.exec(
        line,
      )?.groups;
    const found = name?.["double"] ?? name?.["single"] ?? name?.["bare"];
    // Something else than a task's name: the reader does not know this form.
    if (found === undefined || found.includes("*")) return null;
    names.push(found);
  }
  return names;
}
