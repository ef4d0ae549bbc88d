import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod/mini";
import { issuePath } from "../../../src/engine/base/parse.ts";
import { issuesOf, issuesText } from "../../../src/engine/base/schema-issues.ts";

/** A schema, a value that it rejects, and the message. */
const rejected: readonly (readonly [z.ZodMiniType, unknown, string])[] = [
  [z.string(), 1, "Invalid input: expected string, received number"],
  [z.string(), undefined, "Invalid input: expected string, received undefined"],
  [z.literal(1), 2, "Invalid input: expected 1"],
  [z.int(), 1.5, "Invalid input: expected int, received number"],
  [z.enum(["a", "b"]), "c", 'Invalid option: expected one of "a"|"b"'],
  [z.iso.date(), "never", "Invalid ISO date"],
  [z.string().check(z.regex(/^a/u)), "b", "Invalid string: must match pattern /^a/u"],
  [z.string().check(z.regex(/^a/u, "it begins with a")), "b", "it begins with a"],
  [z.string().check(z.maxLength(1)), "ab", "Too big: expected string to have <=1 characters"],
  [z.array(z.string()).check(z.maxLength(0)), ["a"], "Too big: expected array to have <=0 items"],
  [z.number().check(z.maximum(1)), 2, "Too big: expected number to be <=1"],
  [z.string().check(z.minLength(1)), "", "Too small: expected string to have >=1 characters"],
  [z.array(z.string()).check(z.minLength(1)), [], "Too small: expected array to have >=1 items"],
  [z.number().check(z.minimum(1)), 0, "Too small: expected number to be >=1"],
  [z.number().check(z.positive()), 0, "Too small: expected number to be >0"],
  [z.strictObject({}), { a: 1 }, 'Unrecognized key: "a"'],
  [z.strictObject({}), { a: 1, b: 1 }, 'Unrecognized keys: "a", "b"'],
  [z.record(z.enum(["a"]), z.string()), {}, "Invalid input: expected string, received undefined"],
  [z.record(z.string().check(z.minLength(2)), z.string()), { a: "a" }, "Invalid key in record"],
  [z.union([z.string(), z.number()]), null, "Invalid input"],
  [z.string().check(z.refine(() => false)), "a", "Invalid input"],
  [z.string().check(z.refine(() => false, "it is odd")), "a", "it is odd"],
];

for (const [schema, value, message] of rejected)
  test(`${JSON.stringify(value)} gets the message: ${message}`, () => {
    const { error } = schema.safeParse(value);
    assert.deepEqual(error && issuesOf(error).map((issue) => issue.message), [message]);
  });

const place = z.object({ at: z.object({ line: z.int() }) });

test("several issues are a text with the path of each, the shortest first", () => {
  const { error } = z.object({ ...place.shape, name: z.string() }).safeParse({ at: { line: "a" } });
  assert.equal(
    error && issuesText(error),
    "✖ Invalid input: expected string, received undefined\n  → at name\n✖ Invalid input: expected number, received string\n  → at at.line",
  );
});

test("an issue's path leads to the wrong member, and is empty for a wrong whole", () => {
  const paths = [{ at: { line: "a" } }, 1].map((value) => {
    const { error } = place.safeParse(value);
    return error && issuePath(error);
  });
  assert.deepEqual(paths, [["at", "line"], []]);
});
