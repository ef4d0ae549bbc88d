import { librarySentence, type Sentence } from "./language.ts";
import { LineCounter, isMap, isNode, isScalar, parseDocument, type Document } from "yaml";
import { fail, succeed, type Result } from "./result.ts";

export interface ParsedYaml {
  readonly value: unknown;
  readonly document: Document;
  /** Returns the line, from 1, of the innermost part of a path that the text has: of a value in a map, its key's. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** A failure with the line, from 1, that it is about. */
export interface YamlFault {
  readonly line: number;
  readonly message: Sentence;
}

/**
 * Parses YAML that a person wrote. Aliases are refused unless the file is our own: a few of them can expand to gigabytes.
 */
export function parseYaml(
  text: string,
  { allowsAliases = false }: { readonly allowsAliases?: boolean } = {},
): Result<ParsedYaml, "bad_yaml"> & { readonly fault?: YamlFault } {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      logLevel: "silent",
      prettyErrors: false,
      stringKeys: true,
      lineCounter: lines,
    });
    const [error] = document.errors;
    if (error !== undefined)
      return failed({ line: lines.linePos(error.pos[0]).line, message: librarySentence(error.message) });
    const value: unknown = document.toJS({ maxAliasCount: allowsAliases ? -1 : 0 });
    return succeed({ value, document, lineOf: (path) => lineAt(document, lines, path) });
  } catch (error) {
    if (error instanceof Error) return failed({ line: 1, message: librarySentence(error.message) });
    throw error;
  }
}

function failed(fault: YamlFault): ReturnType<typeof parseYaml> {
  return { ...fail("bad_yaml", fault.message), fault };
}

function lineAt(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const outer: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(outer)
      ? outer.items.find((each) => isScalar(each.key) && each.key.value === key)
      : null;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range !== null && node.range !== undefined)
      return lines.linePos(node.range[0]).line;
  }
  return 1;
}
