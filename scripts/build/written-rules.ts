import { globSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";
import { readRules } from "../../src/engine/guard/catalogue/read-rules.ts";

/** Puts the guard rules that are written in YAML into a bundle as JavaScript: programs read no YAML for them. See `catalogue/written-rules.ts`. */
export const writtenRules: Plugin = {
  name: "written-rules",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]guard[\\/]catalogue[\\/]written-rules\.ts$/ }, ({ path: file }) => {
      const folder = path.dirname(file);
      const names = globSync("**/*.yaml", { cwd: folder });
      const watched = {
        watchFiles: names.map((name) => path.join(folder, name)),
        watchDirs: [folder, ...new Set(names.map((name) => path.join(folder, path.dirname(name))))],
      };
      const rules = readRules(folder);
      if (!rules.ok) return { ...watched, errors: rules.detail.split("\n").map((text) => ({ text })) };
      return { ...watched, contents: moduleOf("writtenRules", rules.value), loader: "js" };
    });
  },
};

/** Shortest JSON that is written once where it is repeated. With 30, the rules take 11,000 bytes more; with fewer, no fewer. */
const minLength = 12;

/** Returns a module that exports a value of JSON. What the value has several times is written once: rules repeat a tenth of their text. */
export function moduleOf(name: string, value: unknown): string {
  const counts = new Map<string, number>();
  const count = (part: unknown): void => {
    const json = JSON.stringify(part);
    const before = counts.get(json) ?? 0;
    counts.set(json, before + 1);
    if (before === 0 && isObject(part)) for (const inner of Object.values(part)) count(inner);
  };
  const names = new Map<string, string>();
  const shared: string[] = [];
  const written = (part: unknown): string => {
    const json = JSON.stringify(part);
    const known = names.get(json);
    if (known !== undefined) return known;
    const own = isObject(part) ? literalOf(part, written) : json;
    if (json.length < minLength || counts.get(json) === 1) return own;
    names.set(json, `shared${names.size}`);
    shared.push(`const ${names.get(json)} = ${own};\n`);
    return written(part);
  };
  count(value);
  const whole = written(value);
  return `${shared.join("")}export const ${name} = ${whole};\n`;
}

function literalOf(value: object, written: (part: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  const members = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${written(part)}`);
  return `{ ${members.join()} }`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
