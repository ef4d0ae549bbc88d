import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, it } from "node:test";
import { build, type BuildFailure, type BuildOptions } from "esbuild";
import { catalogue } from "../../src/engine/guard/catalogue/all.ts";
import { scratchFolder } from "../../test/engine/support/scratch.ts";
import { writtenRules } from "./written-rules.ts";

const require = createRequire(import.meta.url);
const options = {
  bundle: true,
  platform: "node",
  format: "cjs",
  logLevel: "silent",
  plugins: [writtenRules],
} satisfies BuildOptions;

describe("a bundle of the guard's rules", () => {
  it("has the rules that the YAML files have, and nothing that reads YAML", async (t) => {
    const outfile = path.join(scratchFolder(t), "rules.cjs");
    const all = path.resolve(import.meta.dirname, "../../src/engine/guard/catalogue/all.ts");
    const { metafile } = await build({ ...options, entryPoints: [all], outfile, metafile: true });
    assert.deepEqual({ ...require(outfile) }, { catalogue });
    const read = Object.keys(metafile.inputs).filter((file) => /read-rules/u.test(file));
    assert.deepEqual(read, []);
  });

  it("is not made of a file with a fault: the error has its file and line", async (t) => {
    const folder = path.join(scratchFolder(t), "guard/catalogue");
    const source = path.join(folder, "written-rules.ts");
    const fault =
      "rules:\n  - id: no-push\n    message: This pushes.\n    match: [{ program: git, flag: -f }]\n";
    mkdirSync(path.join(folder, "git"), { recursive: true });
    writeFileSync(source, "");
    writeFileSync(path.join(folder, "git/pushing.yaml"), fault);
    await assert.rejects(
      build({ ...options, entryPoints: [source], write: false }),
      (error: BuildFailure) => {
        assert.deepEqual(
          error.errors.map(({ text }) => text),
          ['git/pushing.yaml: line 4: rules.0.match.0: Unrecognized key: "flag"'],
        );
        return true;
      },
    );
  });
});
