import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { installTranslation, translationKey } from "../../../../src/engine/base/text/l10n.ts";
import { verdictReason, verdictSentence } from "../../../../src/webview/components/text/verdict-sentence.ts";
import { german } from "../../../engine/support/translation.ts";
import { makeResult, regression } from "../../compare/fixtures.ts";

afterEach(() => Reflect.deleteProperty(globalThis, translationKey));

const interval = (value: number, low: number, high: number) => ({ value, low, high, level: 0.95 });

test("in English a verdict is what the receipt says", () => {
  const result = makeResult();
  assert.deepEqual([verdictSentence(result), verdictReason(result)], [result.sentence, result.reason]);
});

test("in another language it is worded from the same figures, which are those of the language", () => {
  installTranslation(german({}));
  const costs = { saving: interval(-9800, -15_100, -4300), savingShare: interval(-0.2, -0.31, -0.09) };
  const open = { decision: "undecided" as const, saving: interval(-1200, -4400, 2100) };
  const table: readonly (readonly [Partial<ReturnType<typeof makeResult>>, RegExp, RegExp])[] = [
    [
      {},
      /^haiku is cheaper than sonnet, and shown to be as good\. It saves 13\.700 tokens \(8\.200 to 19\.200\) a completed run, 31% \(18% to 42%, 95% confidence\)\.$/u,
      /^It saves 13\.700 .* It is shown to be as good\.$/u,
    ],
    [
      { decision: "costs", ...costs },
      /^haiku costs more than sonnet\. It takes 9\.800 tokens \(4\.300 to 15\.100\) more a completed run, \+20% \(\+9% to \+31%, 95% confidence\)\.$/u,
      /^It takes 9\.800 /u,
    ],
    [
      { decision: "cheaper-not-as-good", bar: 400 },
      /^haiku is cheaper than sonnet, but not shown to be as good\. 15 of 16 runs passed, where 16 of 16 did\. It saves/u,
      /400 tokens are needed\. It is not shown to be as good\./u,
    ],
    [
      open,
      /^No difference is found between haiku and sonnet\. The difference is \+1\.200 tokens a completed run \(−2\.100 to \+4\.400, 95% confidence\)\.$/u,
      /^Not decided\. The difference is/u,
    ],
    [
      { ...open, saving: interval(500, 100, 900) },
      /^The difference between haiku and sonnet is not decided yet\./u,
      /^Not decided\./u,
    ],
    [
      { decision: "undecided", saving: null },
      /^Too few tasks were finished on both sides\.$/u,
      /^Too few tasks/u,
    ],
  ];
  for (const [change, sentence, reason] of table) {
    assert.match(verdictSentence(makeResult(change)), sentence);
    assert.match(verdictReason(makeResult(change)), reason);
  }
  assert.match(verdictSentence(regression), /^haiku fails where sonnet passes: .+\.$/u);
  assert.equal(
    verdictReason(regression),
    "A task that passed before now failed, more clearly than noise explains.",
  );
});
