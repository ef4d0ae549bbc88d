import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { build } from "esbuild";
import * as z from "zod";
import { scratchFolder } from "../../test/engine/support/scratch.ts";
import { noJsonSchema } from "./no-json-schema.ts";

const source = `
  import * as z from "zod";
  const schema = z.object({ name: z.string(), ages: z.array(z.int()).max(3) }).nullish().catch(null);
  console.log(JSON.stringify(schema.parse({ name: "a", ages: [1] })), schema.parse({ name: 1 }));
  try { z.string().toJSONSchema(); } catch (error) { console.log(error.message); }
`;

describe("bundles without JSON Schema", () => {
  it("are smaller, check values as before, and refuse to convert a schema", async (t) => {
    const file = path.join(scratchFolder(t), "bundle.mjs");
    const options = {
      stdin: { contents: source, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
      logLevel: "error",
    } as const;
    const [whole, less] = await Promise.all([build(options), build({ ...options, plugins: [noJsonSchema] })]);
    const [before, after] = [whole, less].map(({ outputFiles: [output] }) => output?.text ?? "");
    assert.ok(before !== undefined && after !== undefined && after.length < before.length - 10_000);
    writeFileSync(file, after);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
    assert.equal(stderr, "");
    assert.equal(status, 0);
    assert.deepEqual(stdout.split("\n"), [
      '{"name":"a","ages":[1]} null',
      "JSON Schema is not in this bundle",
      "",
    ]);
    assert.equal(typeof z.toJSONSchema, "function", "what it leaves out is still called so");
  });
});
