/** Fields of a file's head, as hookify reads them: texts, and lists of texts by name. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, HeadField>;
  /** The text after the head. */
  readonly body: string;
}

export interface HeadField {
  /** Empty where entries follow. */
  readonly text: string;
  readonly entries: readonly HeadEntry[];
  /** Begins with 1. */
  readonly line: number;
}

interface HeadEntry {
  readonly values: ReadonlyMap<string, string>;
  readonly line: number;
}

interface OpenField {
  readonly text: string;
  readonly line: number;
  readonly entries: { readonly values: Map<string, string>; readonly line: number }[];
}

/**
 * Reads the head of a hookify file. It is no YAML, though it looks like it: a value is the rest of its line, without the quotes around it,
 * so that patterns need no escapes. Null without a head.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  if (lines[0]?.trim() !== "---") return null;
  const end = lines.indexOf("---", 1);
  if (end === -1) return null;
  const fields = new Map<string, OpenField>();
  let open: OpenField | undefined;
  for (const [index, line] of lines.slice(0, end).entries()) {
    const content = line.trim();
    if (index === 0 || content === "" || content.startsWith("#")) continue;
    const number = index + 1;
    if (content.startsWith("-")) {
      open?.entries.push({ values: new Map(entryPairs(content.slice(1).trim())), line: number });
      continue;
    }
    const pair = pairOf(content);
    if (pair === null) continue;
    if (/^\s/u.test(line)) open?.entries.at(-1)?.values.set(...pair);
    else {
      open = { text: pair[1], line: number, entries: [] };
      fields.set(pair[0], open);
    }
  }
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  return { fields, body };
}

type Pair = [name: string, value: string];

/** An entry may have all its values on its first line. */
function entryPairs(text: string): Pair[] {
  const parts = /^\w+:[^,]*,\s*\w+:/u.test(text) ? text.split(",") : [text];
  return parts.flatMap((part) => {
    const pair = pairOf(part);
    return pair === null ? [] : [pair];
  });
}

function pairOf(text: string): Pair | null {
  const colon = text.indexOf(":");
  if (colon === -1) return null;
  const value = text.slice(colon + 1).trim();
  return [text.slice(0, colon).trim(), value.replace(/^"+|(?<!")"+$/gu, "").replace(/^'+|(?<!')'+$/gu, "")];
}
