import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import * as z from "zod/mini";
import { parseJson, readJson } from "../../../src/engine/base/parse.ts";

it("returns the value of a JSON text, and undefined for any other text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(JSON.stringify(parseJson(text)), text);
    }),
  );
  for (const text of ["", "{", "undefined", "{'a':1}", '{"a":1}}']) assert.equal(parseJson(text), undefined);
});

it("returns a value of the schema's shape, and null for any other text or none", () => {
  const schema = z.object({ a: z.number() });
  assert.deepEqual(readJson(schema, '{"a":1}'), { a: 1 });
  for (const text of ["", "{", "null", '{"a":"1"}', null, undefined])
    assert.equal(readJson(schema, text), null);
});
