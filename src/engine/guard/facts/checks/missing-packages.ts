import { builtinModules } from "node:module";
import path from "node:path";
import { isObject, parseJson } from "../../../base/parse.ts";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import type { PackageClaim } from "../claims/claim.ts";
import { javascriptImports } from "../claims/module-names.ts";
import { type FactPorts, listed, missing, quoted } from "./check.ts";

/** The parts of a `package.json` that checks need. */
export interface Manifest {
  readonly name: string | null;
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Names of the packages that it relies on in any way. */
  readonly packages: ReadonlySet<string>;
  /** Names under which its own files import parts of it. */
  readonly ownImports: readonly string[];
}

const dependencyMembers = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
  "resolutions",
  "overrides",
];

/** Reads a `package.json`; null where it cannot be read, or where a script could come from elsewhere. */
export function readManifest(text: string | null): Manifest | null {
  if (text === null) return null;
  const value = parseJson(text.replace(/^\uFEFF/u, ""));
  if (!isObject(value)) return null;
  const { name, scripts = {}, imports } = value;
  if (!isObject(scripts)) return null;
  const packages = dependencyMembers.flatMap((member) => {
    const listed = value[member];
    return isObject(listed) ? Object.keys(listed) : [];
  });
  const bundled = [value["bundleDependencies"], value["bundledDependencies"]].flat();
  return {
    name: typeof name === "string" ? name : null,
    scripts,
    packages: new Set([...packages, ...bundled.filter((each) => typeof each === "string")]),
    ownImports: isObject(imports) ? Object.keys(imports) : [],
  };
}

/** Checks whether a project has a package that a call relies on. No registry is asked. */
export async function checkPackage(claim: PackageClaim, ports: FactPorts): Promise<Finding | null> {
  return await (claim.ecosystem === "cargo" ? checkCrate(claim, ports) : checkNpm(claim, ports));
}

/** Modules that a runtime gives the code it runs. */
const given = new Set([
  "vscode",
  "electron",
  "bun",
  "deno",
  "k6",
  "obsidian",
  "server-only",
  "client-only",
  "figma",
]);

/** Files that lock the versions of packages. */
const locks = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
/** Files with which modules have other names. */
const configuration =
  /^(?:(?:ts|js)config.*\.json|(?:vite|vitest|webpack|jest|babel|next|rollup|metro|craco|astro|nuxt|svelte|esbuild|rspack|farm)[\w.-]*\.[cm]?[jt]s(?:on)?|\.babelrc.*|\.swcrc|deno\.jsonc?|import_?map\.json)$/u;
/** Maximum manifests of a project. Nothing is reported above it. */
const maxManifests = 150;

async function checkNpm({ name, folder, importer }: PackageClaim, ports: FactPorts): Promise<Finding | null> {
  if (builtinModules.includes(name) || given.has(name)) return null;
  const project = ports.projectOf(folder);
  const around = foldersAround(folder);
  const own = await manifestsIn(
    around.map((each) => path.join(each, "package.json")),
    ports,
  );
  if (own === null || own.length === 0) return null;
  const files = await ports.filesOf(project);
  const others = files.filter((file) => path.posix.basename(file) === "package.json");
  if (others.length > maxManifests) return null;
  const all = await manifestsIn(
    others.map((file) => path.join(project, file)),
    ports,
  );
  if (all === null) return null;
  const manifests = [...own, ...all];
  if (manifests.some((each) => each.name === name || each.packages.has(name))) return null;
  const nodeModules = around.flatMap((each) =>
    [name, `@types/${name.replace(/^@/u, "").replace("/", "__")}`].map((what) =>
      path.join(each, "node_modules", what),
    ),
  );
  const kinds = await Promise.all(nodeModules.map((each) => ports.look(each)));
  if (kinds.some((kind) => kind !== "none")) return null;
  if (await isLocked(name, around, ports)) return null;
  if (importer !== null && (await isOtherwiseNamed(name, { importer, around, files, project }, ports)))
    return null;
  const nearest = nearestOf(name, new Set(manifests.flatMap(({ packages }) => [...packages])));
  return missing("missing-package", {
    about: `${name} (${folder})`,
    says: `Neither the manifest nor the lock file of this project has the package ${quoted(name)}.`,
    nearest:
      nearest.length > 0 ? `The nearest that it has: ${listed(nearest)}.` : "Add it first if it is meant.",
  });
}

function foldersAround(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    folders.push(at);
    if (path.dirname(at) === at) return folders;
  }
}

/** Reads the manifests that exist; null if one cannot be read. */
async function manifestsIn(files: readonly string[], ports: FactPorts): Promise<Manifest[] | null> {
  const read = await Promise.all(
    files.map(async (file) => {
      const kind = await ports.look(file);
      if (kind === "none") return [];
      const manifest = readManifest(await ports.text(file));
      return manifest === null ? null : [manifest];
    }),
  );
  return read.includes(null) ? null : read.flatMap((each) => each ?? []);
}

async function isLocked(name: string, around: readonly string[], ports: FactPorts): Promise<boolean> {
  const files = around.flatMap((folder) => locks.map((lock) => path.join(folder, lock)));
  const found = await Promise.all(
    files.map(async (file) => {
      if ((await ports.look(file)) === "none") return false;
      const text = await ports.text(file);
      return text === null || text.includes(name);
    }),
  );
  return found.includes(true);
}

interface Importing {
  readonly importer: string;
  readonly around: readonly string[];
  readonly files: readonly string[];
  readonly project: string;
}

/** Whether a name may be that of a file, of a declaration, or another name that a configuration gives. */
async function isOtherwiseNamed(
  name: string,
  { importer, around, files, project }: Importing,
  ports: FactPorts,
): Promise<boolean> {
  const first = name.split("/")[0] ?? name;
  const isFile = (file: string) =>
    file.split("/").some((part) => part === first || (part.startsWith(`${first}.`) && !part.endsWith(".md")));
  if (files.length === 0 || files.some(isFile)) return true;
  const before = await ports.text(importer);
  if (
    before !== null &&
    javascriptImports(before).some(({ source }) => source === name || source.startsWith(`${name}/`))
  )
    return true;
  const names = await Promise.all(
    around.map(async (folder) => ({ folder, names: (await ports.list(folder)) ?? [] })),
  );
  const configs = names.flatMap((each) =>
    each.names.filter((file) => configuration.test(file)).map((file) => path.join(each.folder, file)),
  );
  const declared = files.filter((file) => file.endsWith(".d.ts")).map((file) => path.join(project, file));
  if (configs.length + declared.length > maxManifests) return true;
  const texts = await Promise.all([...configs, ...declared].map((file) => ports.text(file)));
  return texts.some(
    (text) => text === null || text.includes(first) || /["']\*["']\s*:|alias|moduleNameMapper/u.test(text),
  );
}

async function checkCrate({ name, folder }: PackageClaim, ports: FactPorts): Promise<Finding | null> {
  const around = foldersAround(folder);
  const locked = await Promise.all(around.map((each) => ports.look(path.join(each, "Cargo.lock"))));
  const root = around[locked.findIndex((kind) => kind === "file")];
  if (root === undefined) return null;
  const project = ports.projectOf(folder);
  const files = (await ports.filesOf(project)).filter((file) => path.posix.basename(file) === "Cargo.toml");
  if (files.length > maxManifests) return null;
  const texts = await Promise.all([
    ports.text(path.join(root, "Cargo.lock")),
    ...around.map((each) => ports.text(path.join(each, "Cargo.toml"))),
    ...files.map((file) => ports.text(path.join(project, file))),
  ]);
  const [lock] = texts;
  if (typeof lock !== "string") return null;
  const names = texts.flatMap((text) =>
    Array.from(
      (text ?? "").matchAll(/^name\s*=\s*["'](?<name>[^"']+)["']/gmu),
      (match) => match.groups?.["name"] ?? "",
    ),
  );
  if (names.includes(name)) return null;
  const nearest = nearestOf(name, names);
  return missing("missing-package", {
    about: `${name} (${root})`,
    says: `Neither \`Cargo.lock\` nor a \`Cargo.toml\` of this project has the package ${quoted(name)}.`,
    nearest: nearest.length > 0 ? `The nearest that it has: ${listed(nearest)}.` : "",
  });
}
