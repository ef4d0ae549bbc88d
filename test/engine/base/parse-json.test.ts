import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { parseJson } from "../../../src/engine/base/parse.ts";

it("returns the value of a JSON text, and undefined for any other text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(JSON.stringify(parseJson(text)), text);
    }),
  );
  for (const text of ["", "{", "undefined", "{'a':1}", '{"a":1}}']) assert.equal(parseJson(text), undefined);
});
