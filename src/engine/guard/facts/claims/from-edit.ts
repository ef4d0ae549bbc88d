import path from "node:path";
import type { ToolCall } from "../../../hooks/event.ts";
import type { ShellContext } from "../../commands/invocation.ts";
import type { Claim } from "./claim.ts";
import { javascriptImports, pythonImports, type Import } from "./imports.ts";
import { isPlainName } from "./operands.ts";
import { packageName } from "./packages.ts";
import { isFleeting, placeOf } from "./absolute-path.ts";

/** More things than these of one edit are not looked up. */
const mostClaims = 8;

type FileCall = Extract<ToolCall, { kind: "read" | "edit" }>;

/** Returns what a call that reads or changes a file needs to be there. */
export function fileClaims(call: FileCall, input: unknown, context: ShellContext): Claim[] {
  if (call.kind === "read") return pathsOf(call.file === null ? [] : [call.file], context);
  const text = call.text ?? "";
  const patched = patchedFiles(input);
  if (patched !== null) return pathsOf(patched, context);
  if (call.file === null) return [];
  const old = oldTexts(input);
  const needed = old.some((each) => each !== "") ? pathsOf([call.file], context) : [];
  const importer = placeOf(call.file, context.folder);
  return importer === null
    ? needed
    : [...needed, ...importClaims(importer, text, old.join("\n"))].slice(0, mostClaims);
}

function pathsOf(files: readonly string[], context: ShellContext): Claim[] {
  return files.flatMap((shown): Claim[] => {
    const file = shown.startsWith("~/") ? path.join(context.home, shown.slice(2)) : shown;
    const place = placeOf(file, context.folder);
    if (place === null || !isPlainName(shown) || /[*?]/u.test(shown) || isFleeting(place, context)) return [];
    return [{ kind: "path", path: place, shown, folder: context.folder, isSearched: false }];
  });
}

/** Returns the names that imports add to a file, without those that the old text has. */
function importClaims(importer: string, text: string, old: string): Claim[] {
  if (/\.[cm]?[jt]sx?$/u.test(importer) && !importer.endsWith(".d.ts"))
    return added(javascriptImports(text), javascriptImports(old)).flatMap(({ source, names }): Claim[] => {
      if (/^\.{1,2}\//u.test(source))
        return names.length === 0
          ? []
          : [{ kind: "export", language: "javascript", importer, source, names }];
      const name = source
        .split("/")
        .slice(0, source.startsWith("@") ? 2 : 1)
        .join("/");
      if (!packageName.test(name) || source.includes(":")) return [];
      return [{ kind: "package", name, ecosystem: "npm", folder: path.dirname(importer), importer }];
    });
  if (!importer.endsWith(".py")) return [];
  return added(pythonImports(text), pythonImports(old)).flatMap(({ source, names }): Claim[] =>
    names.length === 0 ? [] : [{ kind: "export", language: "python", importer, source, names }],
  );
}

function added(imports: readonly Import[], before: readonly Import[]): Import[] {
  return imports.flatMap(({ source, names }) => {
    const known = before.filter((each) => each.source === source);
    const fresh = names.filter((name) => !known.some((each) => each.names.includes(name)));
    return known.length > 0 && fresh.length === 0 ? [] : [{ source, names: fresh }];
  });
}

const oldMembers = ["old_string", "oldString", "old_str"];

/** Returns the texts that an edit replaces, which have to be in the file. */
function oldTexts(input: unknown): string[] {
  const edits = memberOf(input, "edits");
  const all: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  return all.flatMap((edit) =>
    oldMembers.flatMap((name) => {
      const text = memberOf(edit, name);
      return typeof text === "string" ? [text] : [];
    }),
  );
}

/** Returns the files that a patch in Codex's format changes or removes; null for another edit. */
function patchedFiles(input: unknown): string[] | null {
  const texts = ["patch", "input", "command"].map((name) => memberOf(input, name));
  const patch = texts.find((text) => typeof text === "string" && text.includes("*** Begin Patch"));
  if (typeof patch !== "string") return null;
  return Array.from(patch.matchAll(/^\*\*\* (?:Update|Delete) File: (?<file>.+)$/gmu), (match) =>
    (match.groups?.["file"] ?? "").trim(),
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
