import { isObject } from "../../../base/parse.ts";
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
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
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
