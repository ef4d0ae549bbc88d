import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";

/** Matches an import or export of values. Types are in no bundle. */
const statement = /^(?<verb>import|export) \{(?<names>[^}]*)\} from "(?<from>\.{1,2}\/[^"]+)";$/gmu;

/** A file in the root folder of an engine's room. */
const door = /[\\/]src[\\/]engine[\\/][^\\/]+[\\/][^\\/]+\.ts$/u;

/** Where a name that a door exports comes from. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

/** Reads sources, and remembers what they pass on from other files. */
type Origins = (file: string) => ReadonlyMap<string, Origin>;

/**
 * Makes bundles look through doors. A room's root file may pass on names of the files below it. A bundle that imports one of them would
 * otherwise load, or share with other bundles, everything behind the door: esbuild divides code between files by their imports, used or not.
 */
export function throughDoors(): Plugin {
  return {
    name: "through-doors",
    setup(bundle) {
      let origins = originsIn();
      bundle.onStart(() => {
        origins = originsIn();
      });
      bundle.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
        contents: directImports(file, readFileSync(file, "utf8"), origins),
        loader: "ts",
        watchFiles: [file],
      }));
    },
  };
}

/** Returns what each file passes on, read once. */
export function originsIn(): Origins {
  const known = new Map<string, ReadonlyMap<string, Origin>>();
  const origins: Origins = (file) => {
    const seen = known.get(file);
    if (seen !== undefined) return seen;
    const found = new Map<string, Origin>();
    if (door.test(file) && existsSync(file))
      for (const { groups } of readFileSync(file, "utf8").matchAll(statement)) {
        if (groups?.["verb"] !== "export") continue;
        const from = path.resolve(path.dirname(file), groups["from"] ?? "");
        for (const [name, exported] of namesIn(groups["names"] ?? ""))
          found.set(exported, declared({ file: from, name }));
      }
    known.set(file, found);
    return found;
  };
  /** A door may pass on a name of another room's door, which passes it on as well. */
  function declared(origin: Origin): Origin {
    const next = origins(origin.file).get(origin.name);
    return next === undefined ? origin : declared(next);
  }
  return origins;
}

/** Returns a source that imports values from the files that declare them. Lines keep their numbers. */
export function directImports(file: string, text: string, origins: Origins): string {
  const folder = path.dirname(file);
  const isDoor = door.test(file);
  return text.replaceAll(statement, (whole, verb: string, names: string, from: string) => {
    const lines = "\n".repeat(whole.split("\n").length - 1);
    if (verb === "export" && isDoor) return lines;
    const passedOn = origins(path.resolve(folder, from));
    if (passedOn.size === 0) return whole;
    const wanted = new Map<string, string[]>();
    for (const [name, local] of namesIn(names)) {
      const origin = passedOn.get(name);
      const source = origin === undefined ? from : relative(folder, origin.file);
      const list = wanted.get(source) ?? [];
      list.push(`${origin?.name ?? name} as ${local}`);
      wanted.set(source, list);
    }
    const direct = [...wanted].map(([source, list]) => `${verb} { ${list.join(", ")} } from "${source}";`);
    return direct.join(" ") + lines;
  });
}

/** Returns the values in a list of names, each with its name on the other side. */
function namesIn(list: string): (readonly [name: string, other: string])[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("type "))
    .map((part) => {
      const [name = "", other = name] = part.split(" as ");
      return [name, other];
    });
}

function relative(folder: string, file: string): string {
  const way = path.relative(folder, file).replaceAll(path.sep, "/");
  return way.startsWith(".") ? way : `./${way}`;
}
