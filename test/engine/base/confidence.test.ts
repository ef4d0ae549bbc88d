import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { confidenceLevel, errorOfSide } from "../../../src/engine/base/confidence.ts";
import { figuresOfTasks, referencesOf } from "../../../src/engine/jobs/task-figures.ts";
import { guardrailRatesOf } from "../../../src/engine/recurring/figures/guardrails.ts";
import { usualAlpha } from "../../../src/engine/rules/trial/analyse.ts";
import { judge } from "../../../src/engine/verdict/judge.ts";
import { usualQuestion } from "../../../src/engine/verdict/verdict.ts";
import { wake } from "../../extension/support/recurring.ts";
import { makeRun, outline } from "../jobs/support/samples.ts";
import { steadyRounds } from "../verdict/support/samples.ts";

test("verdicts, trials, benchmarks and guardrails have one level, which keeps the verdicts' error rates", () => {
  const question = usualQuestion("candidate", 0, null);
  assert.deepEqual([question.alpha, usualAlpha, errorOfSide, confidenceLevel], [0.05, 0.05, 0.05, 0.9]);
  const verdict = judge(steadyRounds(5, 6, [50_000, 40_000]), question);
  const runs = [40_000, 50_000].map((processingTokens, index) =>
    makeRun({ taskId: "backend-01", round: index + 1, processingTokens }),
  );
  const of = { agent: "backend", model: "sonnet", suiteHash: "s", driver: "replay" } as const;
  const [task] = figuresOfTasks({ side: 0, tasks: outline.tasks, runs, of }, referencesOf(runs));
  const [completion] = guardrailRatesOf([wake({ outcome: "completed" })]);
  for (const interval of [verdict.savingShare, verdict.passed[0].rate, task?.interval, completion?.rate])
    assert.equal(interval?.level, confidenceLevel);
});

test("no text has a level of its own", () => {
  const texts: unknown = JSON.parse(readFileSync("l10n/bundle.l10n.json", "utf8"));
  assert.ok(typeof texts === "object" && texts !== null);
  const own = Object.keys(texts).filter((text) =>
    /\b9\d(\.\d)? ?% ?(confidence|interval|:)|\b95 (of|in) 100\b/u.test(text),
  );
  assert.deepEqual(own, []);
});
