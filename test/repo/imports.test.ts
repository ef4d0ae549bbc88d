import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { importsIn, type Imports } from "../../scripts/imports.ts";

const root = path.join(import.meta.dirname, "../..");

/** Circular imports, each as its path. */
function circlesIn(imports: Imports): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const seenAt = way.indexOf(file);
    if (seenAt >= 0) circles.push([...way.slice(seenAt), file].join(" -> "));
    if (seenAt >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

/** The files that no program reaches. */
function unreached(imports: Imports, programs: readonly string[]): string[] {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const next of imports.get(file) ?? []) visit(next);
  };
  for (const program of programs) visit(program);
  return [...imports.keys()].filter((file) => !reached.has(file) && !file.endsWith(".d.ts"));
}

/** The programs that `esbuild.mjs` bundles. */
function programsAmong(files: readonly string[]): string[] {
  const text = readFileSync(path.join(root, "esbuild.mjs"), "utf8");
  const named = [...text.matchAll(/"src\/(?<file>[^"*]+\.ts)"/gu)].map(
    ({ groups }) => groups?.["file"] ?? "",
  );
  return [...named, ...files.filter((file) => /-worker\.ts$|^webview\/[^/]+\/main\.ts$/u.test(file))];
}

describe("the files of src", () => {
  const imports = importsIn(path.join(root, "src"));

  it("import each other in no circle, not for a type either", () => {
    assert.ok([...imports.values()].flat().length > 1000, "imports are found");
    assert.deepEqual(circlesIn(imports), []);
  });

  it("import only the root files of another room", () => {
    const room = /^engine\/(?<room>[^/]+)\//u;
    const inner = [...imports].flatMap(([importer, imported]) => {
      const own = room.exec(importer)?.groups?.["room"];
      return imported
        .filter((file) => file.split("/").length > 3 && file.startsWith("engine/"))
        .filter((file) => room.exec(file)?.groups?.["room"] !== own)
        .map((file) => `${importer} -> ${file}`);
    });
    assert.deepEqual(inner, []);
  });

  it("are all of some program: what only tests use is theirs", () => {
    const programs = programsAmong([...imports.keys()]);
    assert.ok(programs.length > 20, programs.join());
    // The compiler's only input is imported by nobody.
    const compiled = (file: string) => file.endsWith("/compiled/assembly/kernel.ts");
    assert.deepEqual(
      unreached(imports, programs).filter((file) => !compiled(file)),
      [],
    );
  });

  it("would be found in a circle", () => {
    const circle = new Map([
      ["a", ["b", "d"]],
      ["b", ["c"]],
      ["c", ["b"]],
      ["d", []],
    ]);
    assert.deepEqual(circlesIn(circle), ["b -> c -> b"]);
  });
});
