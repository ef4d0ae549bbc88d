import { plainSentence } from "../../../src/engine/base/language.ts";
import { test } from "node:test";
import { assert } from "../../engine/support/assert-texts.ts";
import {
  difference,
  planDetail,
  replayLabel,
  resultText,
  startLabel,
  benchBadge,
  jobResult,
  jobTarget,
  jobTitle,
} from "../../../src/extension/experiments/describe-jobs.ts";
import { makeComparison, makeListed } from "../../webview/experiments/compare/fixtures.ts";
import { makeSelection } from "../../webview/rules/fixtures.ts";
import {
  freePlan,
  makeRunning,
  makeSummary,
  makeView,
  plan,
} from "../../webview/experiments/bench/fixtures.ts";

const t = (message: string, ...values: (string | number)[]) =>
  message.replace(/\{(\d)\}/gu, (_, index) => String(values[Number(index)]));

test("a run that spends names its price and what remains of it", () => {
  assert.equal(startLabel(plan, t), "Run 12 runs · ~512k tokens · ~$3.40");
  assert.equal(startLabel({ ...plan, usd: null, made: 11 }, t), "Run 1 run · ~512k tokens · unknown price");
  assert.equal(startLabel(freePlan, t), "Replay 4 runs · free");
});

test("lists a plan's basis first, then downloads, then warnings", () => {
  const [basis, download, warning] = [
    "Tokens and price are estimates: your last 24 runs of these tasks. Price by the list.",
    "First, npm downloads up to 213 packages that the tasks' project needs from its registry, once.",
    "It is much.",
  ];
  assert.equal(planDetail(plan, t), basis);
  const first = { ...plan, install: { packages: 213 }, warnings: [plainSentence(warning)] };
  assert.equal(planDetail(first, t), `${basis} ${download} ${warning}`);
  assert.match(planDetail({ ...plan, install: { packages: 1 } }, t), / the 1 package that /u);
  assert.match(planDetail({ ...freePlan, install: { packages: null } }, t), / the packages that /u);
});

test("a replay shows what it is worth", () => {
  assert.match(replayLabel(["script"], t), /^Demo: .* says nothing about a model/u);
  assert.match(
    replayLabel(["claude-sonnet-4-6"], t),
    /^Demo: .* of claude-sonnet-4-6\. It says nothing about a model as it is now/u,
  );
});

test("differences have a sign, and tiny ones are shown as none", () => {
  assert.deepEqual([0.78, 1.004, 1.3].map(difference), ["−22%", "0%", "+30%"]);
});

test("a result shows passes, tokens per run, and the comparison with the baseline", () => {
  const [figures] = makeView().figures;
  assert.ok(figures !== undefined);
  const at = { ...figures, tokens: 26_774 };
  assert.equal(resultText(at, t), "12 of 12 runs passed, 26,774 tokens a run, −22% vs. baseline");
  const own = { ...at, run1: { share: 1, interval: null }, best: { share: 1 } };
  assert.equal(resultText(own, t), "12 of 12 runs passed, 26,774 tokens a run, saved as baseline");
  assert.equal(resultText({ ...at, run1: null, tokens: null }, t), "12 of 12 runs passed");
});

test("a job of any kind has a name, a result in a few words, and a page that it leads to", () => {
  const selection = makeSelection();
  assert.match(jobTitle(selection, t), /^Rules of /u);
  assert.match(jobResult(selection, t), /^\d+ of \d+ measured rules save tokens$/u);
  assert.equal(jobTarget(selection)[0], "purser.selectRules");
  const comparison = makeListed(makeComparison());
  assert.match(jobTitle(comparison, t), /^Comparison for /u);
  assert.equal(jobResult(comparison, t), comparison.comparison?.result?.sentence);
  assert.deepEqual(jobTarget(comparison), ["purser.openExperiments", comparison.id]);
  const bench = makeSummary();
  assert.equal(jobTitle(bench, t), "Benchmark of backend");
  assert.match(jobResult(bench, t), /runs passed/u);
  assert.deepEqual(jobTarget(bench), ["purser.openExperiments", bench.id]);
});

test("the status bar shows the running bench, not one that waits or has ended", () => {
  const running = makeSummary(makeRunning());
  const waiting = { ...running, id: "b4", state: { kind: "queued" as const, ahead: 1 } };
  assert.equal(benchBadge([makeSummary(), waiting], t), undefined);
  assert.deepEqual(benchBadge([waiting, running], t), {
    icon: "beaker~spin",
    text: "5/12",
    spoken: "Benchmark of backend: 5 of 12 runs",
    command: "purser.openExperiments",
    target: running.id,
  });
  assert.equal(benchBadge([{ ...running, of: 0, done: 0 }], t)?.text, "…");
});
