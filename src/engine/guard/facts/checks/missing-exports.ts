import path from "node:path";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import type { ExportClaim } from "../claims/claim.ts";
import {
  javascriptImports,
  pythonImports,
  hasWord,
  javascriptExports,
  pythonNames,
} from "../claims/module-names.ts";
import { type FactPorts, missing, nearestOrAll, quoted } from "./check.ts";

/** Checks whether a file exports what an edit imports from it. */
export async function checkExport(claim: ExportClaim, ports: FactPorts): Promise<Finding | null> {
  const fresh = await freshNames(claim, ports);
  if (fresh.length === 0) return null;
  return await (claim.language === "python"
    ? checkPython(claim, fresh, ports)
    : checkJavascript(claim, fresh, ports));
}

/** Returns the names that the importing file does not import already. */
async function freshNames(
  { language, importer, source, names }: ExportClaim,
  ports: FactPorts,
): Promise<string[]> {
  const before = await ports.text(importer);
  const imports = before === null ? [] : (language === "python" ? pythonImports : javascriptImports)(before);
  const known = imports.filter((each) => each.source === source).flatMap((each) => each.names);
  return names.filter((name) => !known.includes(name));
}

const endings = [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"];
/** Endings that an import may have in place of the file's own. */
const written: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

async function checkJavascript(
  { importer, source }: ExportClaim,
  names: readonly string[],
  ports: FactPorts,
): Promise<Finding | null> {
  const base = path.resolve(path.dirname(importer), source);
  const ending = path.extname(base);
  const bare = base.slice(0, base.length - ending.length);
  const candidates = [
    base,
    ...(written[ending] ?? []).map((each) => bare + each),
    ...endings.map((each) => base + each),
    ...endings.map((each) => path.join(base, `index${each}`)),
  ];
  const kinds = await Promise.all(candidates.map((each) => ports.look(each)));
  const files = candidates.filter((_, index) => kinds[index] === "file");
  if (files.length === 0 || kinds.includes("unknown") || files.includes(importer)) return null;
  // The manifest in a package's folder has its exports.
  if ((await ports.look(path.join(base, "package.json"))) !== "none") return null;
  if (!files.every((file) => endings.some((each) => file.endsWith(each)))) return null;
  const texts = await Promise.all(files.map((file) => ports.text(file)));
  const all = new Set<string>();
  for (const text of texts) {
    const exported = text === null ? null : javascriptExports(text);
    if (exported === null) return null;
    for (const name of exported) all.add(name);
  }
  const [file = ""] = files;
  const name = names.find((each) => !all.has(each));
  if (name === undefined) return null;
  const isInside = texts.some((text) => text !== null && hasWord(text, name));
  return report({ name, file, source, exported: all, isInside });
}

async function checkPython(
  { importer, source }: ExportClaim,
  names: readonly string[],
  ports: FactPorts,
): Promise<Finding | null> {
  const dots = /^\.+/u.exec(source)?.[0].length ?? 0;
  const up = path.resolve(path.dirname(importer), ...Array.from({ length: dots - 1 }, () => ".."));
  const base = path.join(up, ...source.slice(dots).split("."));
  const module = dots === source.length ? [] : [`${base}.py`];
  const candidates = [...module, path.join(base, "__init__.py")];
  const kinds = await Promise.all(candidates.map((each) => ports.look(each)));
  const [file, other] = candidates.filter((_, index) => kinds[index] === "file");
  if (file === undefined || other !== undefined || kinds.includes("unknown") || file === importer)
    return null;
  const text = await ports.text(file);
  const defined = text === null ? null : pythonNames(text);
  if (text === null || defined === null) return null;
  const inFolder = file.endsWith("__init__.py") ? await ports.list(path.dirname(file)) : [];
  if (inFolder === null) return null;
  const isModule = (name: string) => inFolder.some((each) => each === name || each.startsWith(`${name}.`));
  const name = names.find((each) => !hasWord(text, each) && !isModule(each));
  return name === undefined ? null : report({ name, file, source, exported: defined, isInside: false });
}

function report({
  name,
  file,
  source,
  exported,
  isInside,
}: {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly exported: Iterable<string>;
  readonly isInside: boolean;
}): Finding {
  const names = [...new Set(exported)].filter((each) => each !== "default");
  return missing("missing-export", {
    about: `${name} from ${file}`,
    says: `${quoted(source)} does not export ${quoted(name)}${isInside ? ", although the name is in that file" : ""}.`,
    nearest: nearestOrAll(nearestOf(name, names), names),
  });
}
