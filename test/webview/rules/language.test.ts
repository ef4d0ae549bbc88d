import { sentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeStep } from "../../../src/webview/rules/history.ts";
import { inGerman } from "../../engine/support/in-german.ts";

const step = { at: 1, who: "purser", from: "approved", to: "shelved" } as const;

test(
  "a rule's history is in the person's language",
  inGerman(() => {
    const why = sentence("{reason} (receipt {receiptId})", {
      reason: sentence("measured only by a replay, which says nothing about a model"),
      receiptId: "cmp-1",
    });
    assert.match(describeStep({ ...step, why }), /: gemessen$/u);
    assert.match(
      describeStep({
        at: 1,
        who: "user",
        from: "approved",
        to: "evicted",
        why: sentence("rejected: {why}", { why: "too vague" }),
      }),
      /: too vague$/u,
    );
  }),
);
