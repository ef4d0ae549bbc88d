import assert from "node:assert/strict";
import { it } from "node:test";
import { economyText } from "../../../../src/engine/cli/economy/economy-command.ts";
import { styleFor } from "../../../../src/engine/cli/style.ts";
import { economyReportOf } from "../../../../src/engine/recurring/figures/report.ts";
import { wake } from "../../../extension/support/recurring.ts";

const plain = styleFor({ env: {}, stdout: { write: () => true, isTTY: false } });

it("purser economy shows the guardrails before and after a change of an agent's file", () => {
  const wakes = Array.from({ length: 16 }, (_, index) =>
    wake({
      id: `w${index}`,
      at: Date.UTC(2026, 10, 1) + index,
      reason: "reused",
      definitionHash: index < 8 ? "d1" : "d2",
      outcome: index < 8 ? "completed" : "failed",
      stateBefore: "todo",
      stateAfter: "todo",
    }),
  );
  const text = economyText({ report: economyReportOf(wakes, 0), ordinary: [] }, plain);
  assert.match(text, /\nWakes that succeed: 50% \(31% to 69%; 8 of 16\)\n/u);
  assert.match(
    text,
    /2026-11-01 00:00 +Wakes that succeed +100% \(75% to 100%; 8 of 8\) +0% \(0% to 25%; 0 of 8\) +−100 points \(−100 to −64\) +got worse\n/u,
  );
  assert.match(text, /Resumes that fail .* 0 points \(−25 to \+25\) +too few wakes to say\n/u);
  assert.match(text, /Worse: an exact test finds it so\./u);
});
