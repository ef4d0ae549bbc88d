/**
 * Reads a boolean key from a TOML text; null when it is set to neither true nor false. Supports tables, dotted keys and comments,
 * which is how people write switches, but not inline tables.
 */
export function readTomlFlag(text: string, key: readonly string[]): boolean | null {
  let table = "";
  let found: boolean | null = null;
  for (const line of text.split(/\r?\n/u)) {
    const [, header] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/u.exec(line) ?? [];
    if (header !== undefined) {
      table = plain(header);
      continue;
    }
    // An array of tables; its members are not ours.
    if (/^\s*\[\[/u.test(line)) table = "[]";
    const [, name, value] = /^\s*([\w."'\- ]+?)\s*=\s*(true|false)\s*(?:#.*)?$/u.exec(line) ?? [];
    if (name === undefined) continue;
    const full = table === "" ? plain(name) : `${table}.${plain(name)}`;
    if (full === key.join(".")) found = value === "true";
  }
  return found;
}

function plain(name: string): string {
  return name.replaceAll(/["' ]/gu, "");
}
