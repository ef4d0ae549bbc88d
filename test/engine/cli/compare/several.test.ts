import { assert } from "../../support/assert-texts.ts";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { compareJson } from "../../../../src/engine/cli/compare/compare-schema.ts";
import { readReceipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { writeFiles } from "../../bench/support/disk-suite.ts";
import { childEnv } from "../../support/child-env.ts";
import { served } from "../../service/support/rules-service.ts";
import { Scratch } from "../support/support.ts";
import { makeCompareSetup, variantText, type CompareSetup } from "./setup.ts";

const recorded = [
  { when: null, tokens: 5000 },
  { when: { model: "claude-haiku-4-5" }, tokens: 3000 },
  { when: { model: "claude-opus-4-5" }, tokens: 9000 },
];
const models = ["--model", "claude-haiku-4-5", "--model", "claude-opus-4-5"];
const both = ["compare", "model", "backend", ...models, "--driver", "replay", "--yes"];

function purserIn(t: TestContext, place: CompareSetup) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  return (argv: readonly string[], signal = new AbortController().signal) =>
    scratch.purser(argv, {
      home: place.home,
      cwd: place.workspace,
      scratch: place.scratch,
      suite: place.suite,
      signal,
      env: { ...childEnv, CLAUDE_CONFIG_DIR: path.join(place.home, ".claude") },
    });
}

test("Two models against the same runs: a row and a receipt each, one sentence, exit code 0 for one that is better", async (t) => {
  const place = await makeCompareSetup(t, recorded);
  const purser = purserIn(t, place);
  const { code, stdout, stderr } = await purser(both);
  assert.equal(code, 0, stdout + stderr);
  assert.match(
    stdout,
    /^claude-haiku-4-5, claude-opus-4-5 vs. claude-sonnet-5-5 for the agent backend\. It spends at most:\n/u,
  );
  assert.match(stdout, /All 2 are compared with the same unchanged runs; each stops once it is decided/u);
  assert.match(stdout, /\nclaude-haiku-4-5 +Saves +2,00\d tokens/u);
  assert.match(stdout, /\nclaude-opus-4-5 +Costs +−4,\d{3} tokens/u);
  assert.match(stdout, /1 of 2 is shown to be cheaper than claude-sonnet-5-5 and as good: claude-haiku/u);
  assert.match(stdout, /recorded tokens, none spent\. Demo: replays a recording/u);
  const files = [...stdout.matchAll(/Receipt: \S+ \(and (\S+)\)/gu)].map(([, file = ""]) => file);
  assert.deepEqual(
    files.map((file) => path.basename(file)),
    ["1.receipt.json", "2.receipt.json"],
  );
  for (const file of files) assert.ok(readReceipt(readFileSync(file, "utf8")).ok);
  assert.match(stderr, /Round 1: claude-haiku-4-5: saves .*\n.*Round 1: claude-opus-4-5: saves −/u);
});

test("continues in the same bench after an interruption; JSON has each arm's verdict and part, and the ledger its receipts", async (t) => {
  const { box, ledger } = await served(t);
  const place = await makeCompareSetup(t, recorded);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const purser = (signal: AbortSignal) =>
    scratch.purser([...both, "--runs", "2", "--json"], {
      home: box.folder,
      cwd: place.workspace,
      scratch: place.scratch,
      suite: place.suite,
      signal,
      env: box.env,
      now: () => Date.now(),
      version: () => "1.0.0",
    });
  const stopped = await purser(AbortSignal.abort());
  assert.equal(stopped.code, 130);
  const { code, stdout } = await purser(new AbortController().signal);
  assert.equal(code, 3);
  const before = compareJson.parse(JSON.parse(stopped.stdout));
  const json = compareJson.parse(JSON.parse(stdout));
  assert.deepEqual([before.state, before.sentence, json.state], ["cancelled", null, "measured"]);
  assert.equal(json.files.bench, before.files.bench);
  assert.deepEqual([json.verdict, json.sides, json.exitCode], [null, [], 3]);
  assert.deepEqual(
    json.arms.map(({ title, verdict, sides }) => [
      title,
      verdict?.kind,
      Math.sign(verdict?.saving?.value ?? 0),
      sides.length,
    ]),
    [
      ["claude-haiku-4-5 vs. claude-sonnet-5-5", "undecided", 1, 2],
      ["claude-opus-4-5 vs. claude-sonnet-5-5", "undecided", -1, 2],
    ],
  );
  assert.ok(json.arms.every(({ spent, receipt }) => (spent?.tokens ?? 0) > 0 && existsSync(receipt ?? "")));
  assert.deepEqual(
    ledger
      .ask("ruleBook", null)
      .receipts.map(({ verdict }) => verdict)
      .toSorted(),
    ["undecided", "undecided"],
  );
});

test("distinguishes prompts of the same name by their folders", async (t) => {
  const place = await makeCompareSetup(t, [
    { when: null, tokens: 5000 },
    { when: { definition: variantText }, tokens: 3000 },
  ]);
  await writeFiles(place.workspace, { "a/short.md": variantText, "b/short.md": `${variantText}Be brief.\n` });
  const variants = ["--variant", "a/short.md", "--variant", "b/short.md"];
  const argv = ["compare", "prompt", "backend", ...variants, "--driver", "replay", "--runs", "1", "--yes"];
  const { code, stdout } = await purserIn(t, place)(argv);
  assert.equal(code, 3, stdout);
  assert.match(stdout, /^a\/short\.md, b\/short\.md vs\. shipped prompt/u);
});

test("reports wrong arguments before any run: exit code 2", async (t) => {
  const place = await makeCompareSetup(t, recorded);
  const purser = purserIn(t, place);
  const of = (...names: readonly string[]) => names.flatMap((name) => ["--model", name]);
  const cases: [string[], RegExp][] = [
    [of("a", "b", "a"), /a is the same as a; name each once/u],
    [of("a", "claude-sonnet-5-5"), /Both sides are the same/u],
    [of("a", "b", "c", "d", "e", "f", "g", "h", "i"), /9 changes are named; at most 8/u],
  ];
  for (const [names, expected] of cases) {
    const { code, stderr } = await purser(["compare", "model", "backend", ...names, "--driver", "replay"]);
    assert.deepEqual([names, code], [names, 2], stderr);
    assert.match(stderr, expected);
  }
  assert.ok(!existsSync(path.join(place.home, ".purser", "bench")));
});
