import "../../engine/support/in-german.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeStep } from "../../../src/webview/rules/history.ts";

const step = { at: 1, who: "purser", from: "approved", to: "shelved" } as const;

test("a rule's history keeps a measurement's reason, in the person's language", () => {
  const why = "measured only by a replay, which says nothing about a model (receipt cmp-1)";
  assert.equal(
    describeStep({ ...step, why }),
    "Pausiert: nur durch eine Wiedergabe gemessen, die nichts über ein Modell aussagt (Beleg cmp-1)",
  );
  assert.match(
    describeStep({ at: 1, who: "user", from: "approved", to: "evicted", why: "rejected: too vague" }),
    /: too vague$/u,
  );
});
