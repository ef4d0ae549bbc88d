import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { execa } from "execa";
import {
  compileCacheFolder,
  compileCacheVariable,
  deleteUnusedCode,
} from "../../../../src/engine/base/process/compile-cache.ts";

const source = path.resolve(import.meta.dirname, "../../../../src/engine/base/process/compile-cache.ts");
const day = 86_400_000;

describe("compiled code", () => {
  it("is stored when asked for, and read by threads of the process", async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "purser-compiled-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const script = `
      import { createRequire } from "node:module";
      import { Worker } from "node:worker_threads";
      import { storeCompiledCode, threadEnvironment, useCompileCache } from ${JSON.stringify(source)};
      useCompileCache(${JSON.stringify(folder)});
      createRequire(${JSON.stringify(source)})("fast-check");
      storeCompiledCode();
      new Worker(\`
        import { getCompileCacheDir } from "node:module";
        console.log(getCompileCacheDir());
      \`, { eval: true, env: threadEnvironment() });
    `;
    const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", script], {
      env: { [compileCacheVariable]: undefined },
    });
    const [versioned = ""] = readdirSync(folder);
    assert.equal(stdout, path.join(folder, versioned));
    assert.notDeepEqual(readdirSync(path.join(folder, versioned)), []);
  });

  it("is deleted when its build was not used for a month", (t) => {
    const compiled = mkdtempSync(path.join(tmpdir(), "purser-compiled-"));
    t.after(() => rmSync(compiled, { recursive: true }));
    const now = Date.parse("2026-11-30T12:00:00Z");
    const own = compileCacheFolder(compiled, "0123456789abcdef0123");
    for (const [folder, age] of [
      [own, 40],
      [path.join(compiled, "unused"), 31],
      [path.join(compiled, "used"), 29],
    ] as const) {
      mkdirSync(path.join(folder, "v24"), { recursive: true });
      utimesSync(folder, new Date(now - age * day), new Date(now - age * day));
    }
    deleteUnusedCode(own, now);
    assert.deepEqual(readdirSync(compiled).toSorted(), ["0123456789abcdef", "used"]);
    assert.equal(statSync(own).mtimeMs, now);
  });

  it("may be missing", () => {
    const missing = path.join(tmpdir(), "purser-compiled-missing", "build");
    deleteUnusedCode(missing, 0);
    assert.ok(!existsSync(missing));
  });
});
