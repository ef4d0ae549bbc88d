import { plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../support/assert-texts.ts";
import { it } from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";

it("distinguishes a value from a named failure", () => {
  const read = (text: string): Result<number, "not_a_number"> =>
    /^\d+$/u.test(text) ? succeed(Number(text)) : fail("not_a_number", plainSentence(text));
  assert.deepEqual(read("12"), { ok: true, value: 12 });
  assert.deepEqual(read("x"), { ok: false, reason: "not_a_number", detail: "x" });
});
