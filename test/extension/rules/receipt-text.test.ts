import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod/mini";
import { receiptSchema, sealReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { receiptText } from "../../../src/extension/rules/receipt-text.ts";
import { winningReceipt } from "../../engine/compare/support/winning-receipt.ts";
import { t } from "../support/session.ts";

test("a receipt ends with the next steps for its result, and for a measured model", () => {
  const facts = z
    .omit(receiptSchema, { seal: true })
    .parse(winningReceipt({ at: Date.parse("2026-11-02T10:00:00Z") }));
  const next = (changes: object) =>
    receiptText(sealReceipt({ ...facts, ...changes }), t)
      .split("## What you can do")[1]
      ?.trim();
  const rule = { subject: { ...facts.subject, kind: "rule" }, driver: "claude" };
  assert.match(next(rule) ?? "", /Purser: Review Rules/u);
  const undecided = { ...rule, verdict: { ...facts.verdict, kind: "undecided" } };
  assert.match(next(undecided) ?? "", /measure again/u);
  assert.match(next({ ...rule, verdict: { ...facts.verdict, kind: "regression" } }) ?? "", /^- Leave it/u);
  assert.match(next({ ...rule, driver: "replay" }) ?? "", /^- This was a demo/u);
});
