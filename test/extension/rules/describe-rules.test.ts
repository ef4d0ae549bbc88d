import assert from "node:assert/strict";
import { test } from "node:test";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { RulesControllerHarness } from "../support/rules-controller-harness.ts";
import * as z from "zod/mini";
import { receiptSchema, sealReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { receiptText } from "../../../src/extension/rules/describe-rules.ts";
import { winningReceipt } from "../../engine/compare/support/winning-receipt.ts";
import { t } from "../support/session.ts";

test("sends one request for several rules, and reports what stayed, why, and what was not written", async (t) => {
  const harness = await new RulesControllerHarness().begun();
  t.after(() => harness.talk.dispose());
  const done = () => harness.posted.filter((message) => message.type === "manyDone");
  const act = async (message: Parameters<typeof harness.talk.handleMessage>[0]) => {
    const before = done().length;
    harness.talk.handleMessage(message);
    await waitUntil(() => done().length > before);
    return done().at(-1);
  };
  const ids = ["r1", "r2", "r3"];
  assert.deepEqual(await act({ type: "actOnMany", ids, act: { kind: "approve" } }), {
    type: "manyDone",
    message: "2 rules approved for measuring. One rule stayed as it was: it is approved already.",
    ids: ["r1", "r2"],
  });
  assert.equal(
    (await act({ type: "actOnMany", ids, act: { kind: "letIn" } }))?.message,
    "2 rules added to their agents' memories. One rule stayed as it was: it is approved already. The memory of scout was not written: the disk is full.",
  );
  const undone = await act({ type: "actOnMany", ids, act: { kind: "undo" } });
  assert.deepEqual([undone?.message.slice(0, 20), undone?.ids], ["2 decisions undone. ", []]);
  assert.deepEqual(harness.did.slice(-3), ["approve r1,r2,r3", "letIn r1,r2,r3", "undo r1,r2,r3"]);
});

test("reports a failed decision about several rules, and shows nothing as done", async (t) => {
  const harness = await new RulesControllerHarness().begun();
  t.after(() => harness.talk.dispose());
  harness.refusal = "the ledger is locked";
  harness.talk.handleMessage({ type: "actOnMany", ids: ["r1"], act: { kind: "reject", why: "" } });
  await waitUntil(() => harness.posted.at(-1)?.type === "error");
  assert.equal(
    harness.posted.some(({ type }) => type === "manyDone"),
    false,
  );
});

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
