import path from "node:path";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import type { ScriptClaim } from "../claims/claim.ts";
import { readManifest, type Manifest } from "./missing-packages.ts";
import { type FactPorts, missing, nearestOrAll, quoted } from "./check.ts";

/** Checks whether the package has the script in a package manager's command. */
export async function checkScript(claim: ScriptClaim, ports: FactPorts): Promise<Finding | null> {
  const around = await manifestAround(claim.folder, ports);
  if (around === null) return null;
  const found = claim.workspace === null ? around : await workspaceOf(claim.workspace, around, ports);
  if (found === null) return null;
  const { manifest, file } = found;
  const { name, manager } = claim;
  if (Object.hasOwn(manifest.scripts, name)) return null;
  if (await isOtherwiseRun(claim, path.dirname(file), ports)) return null;
  const names = Object.keys(manifest.scripts);
  const nearest = nearestOf(name, names);
  // Bun also runs programs, not all of which are known.
  if (manager === "bun" && nearest.length === 0) return null;
  return missing("missing-script", {
    about: `${manager} run ${name} (${file})`,
    says: `${quoted(file)} has no script ${quoted(name)}.`,
    nearest: names.length === 0 ? "It has no scripts." : nearestOrAll(nearest, names, 12),
  });
}

interface Found {
  readonly file: string;
  readonly manifest: Manifest;
}

/** Names in a folder below a package that may make it another one. */
const ownPackage = ["node_modules", "package.yaml", "package.json5", "deno.json"];

/** Returns the package that a folder is in, as package managers look for it; null where there is none. */
async function manifestAround(folder: string, ports: FactPorts): Promise<Found | null> {
  const below: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, "package.json");
    const kind = await ports.look(file);
    if (kind === "file") {
      const others = below.flatMap((each) => ownPackage.map((name) => path.join(each, name)));
      const kinds = await Promise.all(others.map((other) => ports.look(other)));
      if (kinds.some((each) => each !== "none")) return null;
      const manifest = readManifest(await ports.text(file));
      return manifest === null ? null : { file, manifest };
    }
    if (kind !== "none" || path.dirname(at) === at) return null;
    below.push(at);
  }
}

/** Returns the workspace of this name or in this folder; null where there is not exactly one. */
async function workspaceOf(workspace: string, { file }: Found, ports: FactPorts): Promise<Found | null> {
  const root = path.dirname(file);
  const files = (await ports.filesOf(ports.projectOf(root))).filter(
    (each) => path.posix.basename(each) === "package.json",
  );
  if (files.length > maxWorkspaces) return null;
  const project = ports.projectOf(root);
  const all = await Promise.all(
    files.map(async (each): Promise<Found[]> => {
      const own = path.join(project, each);
      const manifest = readManifest(await ports.text(own));
      if (manifest === null) return [];
      const isMeant = manifest.name === workspace || path.resolve(root, workspace) === path.dirname(own);
      return isMeant ? [{ file: own, manifest }] : [];
    }),
  );
  const [only, other] = all.flat();
  return only === undefined || other !== undefined ? null : only;
}

const maxWorkspaces = 200;

/** Tests whether a package manager runs something other than a script of the package. */
async function isOtherwiseRun(
  { manager, name }: ScriptClaim,
  folder: string,
  ports: FactPorts,
): Promise<boolean> {
  if (manager === "npm")
    return (await ports.look(path.join(folder, `${name}.js`))) !== "none" && name === "start";
  const places: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    places.push(
      path.join(at, "node_modules", ".bin", name),
      path.join(at, ".pnp.cjs"),
      path.join(at, ".yarnrc.yml"),
    );
    if (path.dirname(at) === at) break;
  }
  // Yarn's newer versions find programs in places of their own.
  const isYarn = manager === "yarn";
  const counted = isYarn ? places : places.filter((each) => each.includes("node_modules"));
  if (manager === "bun") {
    if (/[./\\]/u.test(name)) return true;
    counted.push(...ports.searched.map((each) => path.join(each, name)));
    counted.push(
      ...[".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"].map((end) => path.join(folder, name + end)),
    );
  }
  const kinds = await Promise.all(counted.map((each) => ports.look(each)));
  return kinds.some((kind) => kind !== "none");
}
