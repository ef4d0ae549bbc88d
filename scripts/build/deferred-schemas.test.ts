import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { build, type Plugin } from "esbuild";
import fc from "fast-check";
import { isPlainEntry } from "../../src/engine/ledger/entries/plain.ts";
import { everyKind } from "../../test/engine/ledger/support/every-kind.ts";
import { scratchFolder } from "../../test/engine/support/scratch.ts";
import { deferredSchemas } from "./deferred-schemas.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Schemas of every kind that purser makes, and what they read of the values on standard input. */
const source = `
  import * as z from "zod/mini";
  const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(5));
  const size = z.catch(z.int().check(z.nonnegative()), 0);
  const place = z.object({ cwd: text, at: z.optional(z.iso.datetime()), size });
  const whole = z.extend(place, { name: z.nullable(text).check(z.describe("its name")) });
  const schemas = {
    text,
    place,
    whole,
    part: z.partial(whole),
    less: z.omit(whole, { cwd: true }),
    only: z.pick(whole, { cwd: true }),
    spread: z.strictObject({ ...place.shape, kind: z._default(z.enum(["a", "b"]), "a") }),
    loose: z.looseObject({ name: z.literal("a"), at: z.nullish(z.number().check(z.gt(0), z.lt(10))) }),
    list: z.readonly(z.array(place).check(z.maxLength(2))),
    pair: z.tuple([text, text]),
    map: z.record(z.string(), z.boolean()),
    some: z.partialRecord(z.enum(["a", "cwd"]), z.unknown()),
    either: z.union([text, z.number().check(z.positive())]),
    share: z.number().check(z.minimum(0), z.maximum(4)),
    kinds: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), size: z.number() }),
      z.object({ kind: z.literal("b"), name: z.string().check(z.regex(/^a/u), z.length(3)) }),
    ]),
    even: z.number().check(z.refine((value) => value % 2 === 0, "it is odd")),
    upper: z.string().check(z.overwrite((value) => value.toUpperCase())),
    any: z.unknown(),
    none: z.exactOptional(z.undefined()),
    other: z.pipe(z.pipe(text, z.transform((value) => value.length)), z.int()),
  };
  const seen = { element: schemas.list.def.innerType.def.element === schemas.list.def.innerType.def.element, keys: Object.keys(whole.shape) };
  seen.is = [place instanceof z.ZodMiniObject, text instanceof z.ZodMiniObject, schemas.map instanceof z.ZodMiniRecord];
  seen.options = schemas.kinds.def.options.map((option) => Object.keys(option.shape));
  const described = text.check(z.meta({ title: "a text" }), z.describe("five characters"));
  seen.descriptions = [described, z.object({ described }).shape.described, whole.shape.name, text].map((schema) => z.globalRegistry.get(schema));
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
      import * as z from "zod/mini";
      let made = 0;
      const part = z.object({ get name() { made += 1; return z.string(); } });
      const whole = z.array(z.nullable(z.extend(part, { size: z.number() }))).check(z.maxLength(3));
      const before = made;
      const is = whole.safeParse([{ name: "a", size: 1 }, null]).success;
      console.log(JSON.stringify([before, is, made > 0]));
    `;
    const file = await bundled(path.join(scratchFolder(t), "counting.cjs"), counting, [deferredSchemas]);
    assert.equal(run(file, "").trim(), "[0,true,true]");
  });

  it("are those of every builder and check in the source", () => {
    const calls = globSync("src/**/*.ts", { cwd: root })
      .map((file) => readFileSync(path.join(root, file), "utf8"))
      .flatMap((text) => [...text.matchAll(/\bz\s*\.(?<name>\w+)(?:<\w+>)?\(/gu)])
      .map(({ groups }) => groups?.["name"] ?? "");
    const text = readFileSync(path.join(import.meta.dirname, "deferred-zod.mjs"), "utf8");
    const deferred = [...text.matchAll(/deferred\(zod\.(?<name>\w+)\)/gu)].map(
      ({ groups }) => groups?.["name"],
    );
    const rest = [...new Set(calls)].filter((name) => !deferred.includes(name));
    // Few of these are made, and some make no schema.
    assert.deepEqual(rest.toSorted(), [
      "config",
      "custom",
      "lazy",
      "null",
      "prettifyError",
      "toJSONSchema",
      "transform",
      "undefined",
    ]);
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
