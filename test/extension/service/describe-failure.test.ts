import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { withRefusalRemedy } from "../../../src/engine/base/disk/refusal-remedy.ts";
import { explainFailure } from "../../../src/extension/service/describe-failure.ts";
import type { LinkFailure } from "../../../src/extension/service/link.ts";
import { t } from "../support/session.ts";

const reasons: readonly LinkFailure[] = [
  ...(["outdated", "elsewhere", "unresponsive", "unsafe_place", "unwritable"] as const),
  ...(["refused", "forbidden", "ended", "failed"] as const),
];

test("words every failure differently, with its cause and what to do", () => {
  const words = reasons.map((reason) =>
    explainFailure({ ok: false, reason, detail: plainSentence("process 7 on argo") }, t),
  );
  assert.equal(new Set(words.map(({ reason }) => reason)).size, reasons.length);
  for (const { reason } of words) {
    assert.match(reason, /\(process 7 on argo\)/u);
    assert.ok(reason.length < 300, reason);
  }
  const toReload = reasons.filter((_, index) => words[index]?.remedy === "reload");
  assert.deepEqual(toReload, ["outdated"]);
});

test("a full disk is named with its own remedy, not with permissions", () => {
  const detail = withRefusalRemedy(plainSentence("the service cannot start: /home/a/.purser: ENOSPC"));
  const { reason, remedy } = explainFailure({ ok: false, reason: "unwritable", detail }, t);
  assert.match(reason, /ENOSPC\. What to do: free some space/u);
  assert.doesNotMatch(reason, /writable/u);
  assert.equal(remedy, "retry");
});
