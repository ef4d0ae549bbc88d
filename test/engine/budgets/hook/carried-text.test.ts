import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resultTokens, textTokens } from "../../../../src/engine/budgets/hook/carried-text.ts";
import { tokensOf } from "../../../../src/engine/rules/rent.ts";

const [prose, code] = [
  "The crew counts the cargo at every tide, and writes it down. ",
  'const berth = berths.find(({ free }) => free >= item.weight) ?? fail("no room");\n',
];

describe("the tokens of a text that a call carries", () => {
  it("are counted word by word in a short text", () => {
    for (const text of ["", prose, code.repeat(5)]) assert.equal(textTokens(text), tokensOf(text));
  });

  it("are about as many where only pieces of it are counted", () => {
    for (const text of [prose.repeat(90), code.repeat(2000), prose.repeat(300) + code.repeat(500)]) {
      const [looked, all] = [textTokens(text), tokensOf(text)];
      assert.ok(Math.abs(looked - all) < 0.15 * all, `${looked} for ${all}`);
    }
  });

  it("are those of a result's texts, and of nothing else", () => {
    const blocks = [{ type: "text", text: prose }, { type: "image" }, null, { text: 3 }];
    assert.equal(resultTokens(blocks), tokensOf(prose));
    assert.equal(resultTokens(code), tokensOf(code));
    for (const other of [null, 7, { text: prose }]) assert.equal(resultTokens(other), 0);
  });
});
