import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { estimatedTokens } from "../../../../src/engine/rules/rent.ts";
import { characterScale, tokensOfCharacters } from "../../../../src/engine/base/format.ts";

const times = (count: number, value: number) => Array.from({ length: count }, () => value);

test("Characters per token are the median of enough requests, else four", () => {
  assert.deepEqual(characterScale([3, 3, 3]), { charactersPerToken: 4, requests: 0 });
  assert.deepEqual(characterScale([9, ...times(10, 3.5)]), { charactersPerToken: 3.5, requests: 11 });
  for (const none of [0, -1, Number.NaN, Infinity])
    assert.deepEqual(characterScale(times(20, none)), { charactersPerToken: 4, requests: 0 });
});

test("Requests with hardly known content do not make a few bytes millions of tokens", () => {
  // 50 kB beside 0.02 characters per token were "2,306,542 tokens saved".
  assert.equal(tokensOfCharacters(50_000, characterScale(times(20, 0.0217))), 20_833);
  assert.equal(tokensOfCharacters(50_000, characterScale(times(20, 1e9))), 6944);
});

test("The estimate of any text is between its length / 7.2 and / 2.4 for any ledger; text and savings share it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: false }), { maxLength: 40 }),
      fc.nat(1_000_000),
      (requests, length) => {
        const scale = characterScale(requests);
        const tokens = tokensOfCharacters(length, scale);
        // Both bounds are rounded as the estimate is.
        assert.ok(tokens >= Math.round(length / 7.2) && tokens <= Math.round(length / 2.4), String(tokens));
        const text = "word ".repeat(100);
        const [plain, scaled] = [estimatedTokens(text, []).tokens, estimatedTokens(text, requests).tokens];
        assert.ok(Math.abs(scaled - (plain * 4) / scale.charactersPerToken) <= 1);
      },
    ),
  );
});
