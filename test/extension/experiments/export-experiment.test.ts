import { compose, plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../../engine/support/assert-texts.ts";
import { test } from "node:test";
import { z } from "zod";
import { exportedFile } from "../../../src/extension/experiments/export-experiment.ts";
import { makeView } from "../../webview/experiments/bench/fixtures.ts";
import { ask, makeComparison, makeResult, makeRunning } from "../../webview/experiments/compare/fixtures.ts";

test("the exported Markdown holds the sentence and both sides, and no name can add to it", () => {
  const name = "evil.md |\n# Better <b>*now*</b>";
  const view = makeComparison({
    comparison: {
      title: plainSentence(name),
      result: makeResult({ sentence: compose`${name} takes less.` }),
    },
  });
  const file = exportedFile(view, "markdown");
  const { name: proposed = "", text = "" } = file ?? {};
  assert.equal(proposed, "c1.md");
  const lines = text.split("\n");
  const headings = lines.filter((line) => line.startsWith("#")).map((line) => line.split(" ", 1)[0]);
  assert.deepEqual(headings, ["#", "##", "###"]);
  assert.ok(lines.includes("| haiku | 30,500 | 214,000 | 15 of 16 | 15.9 | 61 | 0.13 |"), text);
  assert.ok(!text.includes("<b>"));
});

test("exports every figure as JSON, and nothing of the user's files", () => {
  const secret = "words of the user's own prompt";
  const change = { kind: "prompt", name: "lean.md", definition: secret } as const;
  const view = makeComparison({ change: { ask: { ...ask, change } } });
  const file = exportedFile(view, "json");
  const text = file?.text ?? "";
  const { schema, result } = z.object({ schema: z.number(), result: z.unknown() }).parse(JSON.parse(text));
  assert.deepEqual([schema, result], [1, makeResult()]);
  assert.ok(!text.includes(secret));
});

test("exports nothing of a comparison before there is a verdict, and a benchmark at any time", () => {
  assert.equal(exportedFile(makeRunning(), "json"), undefined);
  assert.equal(exportedFile(makeView(), "markdown")?.name, "b3.json");
});
