/** A table of a TOML file, with its texts and switches. */
export interface TomlTable {
  /** Its name, in parts: `[a."b.c"]` has two. */
  readonly path: readonly string[];
  readonly values: ReadonlyMap<string, string | boolean>;
}

/**
 * Reads the tables of a TOML text as programs write them: each under its own header, a key a line. Any other value, an inline table and a
 * text of several lines are left out; nothing makes it fail.
 */
export function readTomlTables(text: string): TomlTable[] {
  const tables: TomlTable[] = [];
  let values = new Map<string, string | boolean>();
  for (const line of text.split(/\r?\n/u)) {
    const { header } = /^\s*\[(?<header>[^[].*?)\]\s*(?:#.*)?$/u.exec(line)?.groups ?? {};
    if (header !== undefined || /^\s*\[\[/u.test(line)) {
      values = new Map();
      const path = header === undefined ? null : keyParts(header);
      if (path !== null) tables.push({ path, values });
      continue;
    }
    const { name = "", value = "" } =
      /^\s*(?<name>[\w-]+)\s*=\s*(?<value>"(?:[^"\\]|\\.)*"|'[^']*'|true|false)\s*(?:#.*)?$/u.exec(line)
        ?.groups ?? {};
    const read = value === "true" || value === "false" ? value === "true" : textOf(value);
    if (name !== "" && read !== null) values.set(name, read);
  }
  return tables;
}

/** Returns null for a name that TOML does not allow. */
function keyParts(name: string): string[] | null {
  const part = /\s*(?:(?<bare>[\w-]+)|(?<quoted>"(?:[^"\\]|\\.)*"|'[^']*'))\s*(?:\.|$)/uy;
  const parts: string[] = [];
  while (part.lastIndex < name.length) {
    const { bare, quoted } = part.exec(name)?.groups ?? {};
    const read = bare ?? textOf(quoted ?? "");
    if (read === null) return null;
    parts.push(read);
  }
  return parts;
}

/** Returns null for what is no quoted text. JSON has the same escapes as TOML's, but for two that paths do not have. */
function textOf(quoted: string): string | null {
  if (/^'.*'$/u.test(quoted)) return quoted.slice(1, -1);
  if (!/^".*"$/u.test(quoted)) return null;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}
