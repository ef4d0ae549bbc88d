import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { build, type Plugin } from "esbuild";
import fc from "fast-check";
import { isPlainEntry } from "../../src/engine/ledger/entries/plain.ts";
import { everyKind } from "../../test/engine/ledger/support/every-kind.ts";
import { scratchFolder } from "../../test/engine/support/scratch.ts";
import { deferredSchemas } from "./deferred-schemas.ts";

/** Schemas of every kind that purser makes, and what they read of the values on standard input. */
const source = `
  import * as z from "zod";
  const text = z.string().trim().min(1).max(5);
  const place = z.object({ cwd: text, at: z.iso.datetime().optional(), size: z.int().nonnegative().catch(0) });
  const whole = place.extend({ name: text.nullable() });
  const schemas = {
    text,
    place,
    whole,
    part: whole.partial(),
    less: whole.omit({ cwd: true }),
    spread: z.strictObject({ ...place.shape, kind: z.enum(["a", "b"]).default("a") }),
    loose: z.looseObject({ name: z.literal("a"), at: z.number().gt(0).lt(10).nullish() }),
    list: z.array(place).max(2).readonly(),
    pair: z.tuple([text, text]),
    map: z.record(z.string(), z.boolean()),
    either: z.union([text, z.number().positive()]),
    kinds: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), size: z.number() }),
      z.object({ kind: z.literal("b"), name: z.string().regex(/^a/u).startsWith("a").length(3) }),
    ]),
    even: z.number().refine((value) => value % 2 === 0, "it is odd"),
    any: z.unknown(),
    none: z.undefined().exactOptional(),
    other: text.transform((value) => value.length).pipe(z.int()),
  };
  const seen = { element: schemas.list.unwrap().element === schemas.list.unwrap().element, keys: Object.keys(whole.shape) };
  seen.is = [place instanceof z.ZodObject, text instanceof z.ZodObject, schemas.map instanceof z.ZodRecord];
  seen.options = schemas.kinds.options.map((option) => Object.keys(option.shape));
  const read = ([name, schema], value) => {
    const { success, data, error } = schema.safeParse(value);
    return [name, success, success ? data : error.issues];
  };
  const values = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const results = values.map((value) => Object.entries(schemas).map((schema) => read(schema, value)));
  console.log(JSON.stringify({ seen, results }));
`;

/** Values that some of the schemas accept, and others. */
const values = fc.array(
  fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("a", "  abc  ", "toolong", 4, 3, -1, 2.5),
    fc.record(
      {
        cwd: fc.constantFrom("/a", "", 1),
        at: fc.constantFrom("2026-11-21T10:00:00Z", "never", 4),
        size: fc.constantFrom(0, 3, -1, "3"),
        kind: fc.constantFrom("a", "b", "c"),
        name: fc.constantFrom("a", "abc", null),
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.constantFrom({ cwd: "/a" }, { cwd: 1 }, "a"), { maxLength: 3 }),
  ),
  { minLength: 80, maxLength: 80 },
);

async function bundled(file: string, contents: string, plugins: Plugin[]): Promise<string> {
  const built = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
    logLevel: "error",
    plugins,
  });
  writeFileSync(file, built.outputFiles[0]?.text ?? "");
  return file;
}

function run(file: string, input: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: "utf8", input });
  assert.equal(stderr, "");
  assert.equal(status, 0);
  return stdout;
}

describe("schemas made at their first use", () => {
  it("read every value as zod's own do", async (t) => {
    const folder = scratchFolder(t);
    const own = await bundled(path.join(folder, "own.cjs"), source, []);
    const deferred = await bundled(path.join(folder, "deferred.cjs"), source, [deferredSchemas]);
    fc.assert(
      fc.property(values, (made) => {
        const input = JSON.stringify(made);
        assert.equal(run(deferred, input), run(own, input));
      }),
      { numRuns: 3 },
    );
  });

  it("are not made before", async (t) => {
    const counting = `
      import * as z from "zod";
      let made = 0;
      const part = z.object({ get name() { made += 1; return z.string(); } });
      const whole = z.array(part.extend({ size: z.number() }).nullable()).max(3);
      const before = made;
      const is = whole.safeParse([{ name: "a", size: 1 }, null]).success;
      console.log(JSON.stringify([before, is, made > 0]));
    `;
    const file = await bundled(path.join(scratchFolder(t), "counting.cjs"), counting, [deferredSchemas]);
    assert.equal(run(file, "").trim(), "[0,true,true]");
  });

  it("leave the handwritten checks of the ledger's entries at work", async (t) => {
    const checking = `
      import { isPlainEntry } from "../../src/engine/ledger/entries/plain.ts";
      const entries = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
      console.log(JSON.stringify(entries.map((entry) => isPlainEntry(entry))));
    `;
    const file = await bundled(path.join(scratchFolder(t), "checking.cjs"), checking, [deferredSchemas]);
    const own = everyKind.map((entry) => isPlainEntry(entry));
    assert.ok(own.includes(true));
    assert.deepEqual(JSON.parse(run(file, JSON.stringify(everyKind))), own);
  });
});
