import { test } from "node:test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { writeProposal } from "../../../src/engine/compare/proposal-files.ts";
import { inWords, plainSentence, sentence } from "../../../src/engine/base/language.ts";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { readTranslation } from "../../../src/engine/cli/language.ts";
import { comparisonTitle } from "../../../src/engine/compare/compare-change.ts";
import { describeArms, exitCodeOf, describeComparison } from "../../../src/engine/compare/compare-outcome.ts";
import { judge } from "../../../src/engine/verdict/judge.ts";
import { readReceipt, sealReceipt, type Receipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import type { RunSample } from "../../../src/engine/verdict/verdict.ts";
import { assert } from "../support/assert-texts.ts";
import { question, steadyRounds } from "../verdict/support/samples.ts";

const side = (label: string) => ({
  label: plainSentence(label),
  configurationHash: label,
  model: label,
  effort: null,
  figures: null,
});
const receiptOf = (samples: readonly RunSample[], kind: Receipt["subject"]["kind"] = "comparison"): Receipt =>
  sealReceipt({
    version: 1,
    id: "r",
    at: 0,
    agent: "backend",
    question,
    tasks: [],
    subject: { kind, id: "x", title: plainSentence("CLAUDE.md#style") },
    sides: [side("sonnet"), side("haiku")],
    verdict: judge(samples, question),
    suiteHash: "s",
    fixtureHash: "f",
    seed: 1,
    driver: "claude",
    recordedBy: [],
    rounds: { own: 6, pooled: 0, from: [] },
    spent: { runs: 1, processingTokens: 1, cacheRead: 0, usd: null },
  });
const failing = (samples: readonly RunSample[], fails: (sample: RunSample) => boolean) =>
  samples.map((sample) => (fails(sample) ? { ...sample, passed: false } : sample));

const cheaper = steadyRounds(4, 6, [50_000, 40_000]);
const cases = {
  saves: receiptOf(cheaper),
  costs: receiptOf(steadyRounds(4, 6, [40_000, 50_000])),
  notAsGood: receiptOf(failing(cheaper, ({ side: own, round }) => own === 1 && round === 2)),
  regression: receiptOf(failing(cheaper, ({ side: own, taskId }) => own === 1 && taskId === "task-1")),
  undecided: receiptOf(steadyRounds(4, 1, [50_000, 49_000])),
  nothing: receiptOf([]),
};

test("A comparison, its reason and its title are worded again in German", (t) => {
  const translation = readTranslation(path.resolve(import.meta.dirname, "../../../l10n"), ["de"]);
  if (translation !== undefined) installTranslation(translation);
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
  const leftOut = receiptOf(cheaper, "ablation");
  const sentences = [...Object.values(cases), leftOut].map((receipt) => inWords(describeComparison(receipt)));
  assert.deepEqual(
    sentences.map((said) =>
      said
        .replaceAll(/\s/gu, " ")
        .replaceAll(/\d(?:[\d.,]*\d)?/gu, "#")
        .replaceAll(/ \([^)]*\)/gu, ""),
    ),
    [
      "haiku spart # Token je Lauf, # % gegenüber sonnet, bei gleicher Erfolgsquote.",
      "haiku kostet mehr als sonnet: # Token je Lauf, # %.",
      "haiku spart # Token je Lauf, # % gegenüber sonnet, ist aber nicht nachweislich ebenso gut: # von # Läufen bestanden, vorher # von #.",
      "haiku scheitert, wo sonnet besteht: task-#.",
      "Unterschied zwischen haiku und sonnet noch nicht entschieden: −# Token pro Lauf nach # von # Runden. Etwa # weitere Runde würde es entscheiden.",
      "Kein Unterschied zwischen haiku und sonnet gefunden: zu wenige Aufgaben wurden auf beiden Seiten abgeschlossen.",
      "CLAUDE.md#style ist seine Token nicht wert: Ohne spart der Agent # Token je Lauf, # %, bei gleicher Erfolgsquote.",
    ],
  );
  assert.match(sentences[0] ?? "", / spart 10\.000 Token je Lauf, .+ Konfidenz\) gegenüber /u);
  for (const { verdict } of Object.values(cases))
    assert.doesNotMatch(
      inWords(verdict.reason),
      /\b(?:the|tokens|saves|shown|not|it)\b/iu,
      verdict.reason.text,
    );
  assert.deepEqual(
    [
      comparisonTitle(
        [sentence("with {name}", { name: "a.md" }), plainSentence("haiku")],
        sentence("unchanged"),
      ),
      comparisonTitle(plainSentence("haiku, opus"), plainSentence("sonnet")),
    ].map(inWords),
    ["mit a.md, haiku vs. unverändert", "haiku, opus statt sonnet"],
  );
});

test("A comparison is one plain sentence", () => {
  assert.match(
    describeComparison(cases.saves).text,
    /^haiku saves 10,000 tokens a run, 20% .* against sonnet, at the same pass rate\.$/u,
  );
  assert.match(describeComparison(cases.costs).text, /^haiku costs more than sonnet: 10,000 tokens/u);
  assert.match(
    describeComparison(cases.notAsGood).text,
    /not shown to be as good: 20 of 24 runs passed, where 24 of 24 did\.$/u,
  );
  assert.equal(describeComparison(cases.regression), "haiku fails where sonnet passes: task-1.");
  assert.match(
    describeComparison(cases.undecided).text,
    /^Difference not decided yet between haiku and sonnet: −1,000 tokens a run \(90% CI −[\d,]+ to −[\d,]+\) after 6 of \d+ rounds\. About 1 more round would decide it\.$/u,
  );
  assert.equal(
    describeComparison(cases.nothing),
    "No difference found between haiku and sonnet: too few tasks were finished on both sides.",
  );
});

test("A setting is described as with or without, as the other side is the unchanged agent", () => {
  const sides: Receipt["sides"] = [side("unchanged"), side("without CLAUDE.md")];
  assert.equal(
    describeComparison({ ...cases.nothing, sides }),
    "No difference found without CLAUDE.md: too few tasks were finished on both sides.",
  );
});

test("A part that costs more when left out earns its place", () => {
  const leftOut = (samples: readonly RunSample[]) => describeComparison(receiptOf(samples, "ablation"));
  assert.match(
    leftOut(cheaper).text,
    /^CLAUDE\.md#style is not worth its tokens: without it, the agent saves 10,000/u,
  );
  assert.match(
    leftOut(steadyRounds(4, 6, [40_000, 50_000])).text,
    /^CLAUDE\.md#style is worth its tokens: without it, the agent needs more: 10,000/u,
  );
  assert.match(leftOut([]).text, /^No difference found with and without CLAUDE\.md#style: too few tasks/u);
});

test("A command ends with 0 for better, 1 for not, 3 for undecided", () => {
  const codes = Object.values(cases).map(({ verdict }) => exitCodeOf(verdict));
  assert.deepEqual(codes, [0, 1, 1, 1, 3, 3]);
});

test("A winning rewrite is written next to its receipt without overwriting; a losing one is not", async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), "purser-proposal-"));
  try {
    const asked = { workspace, definition: "---\nname: backend\n---\nx\n" };
    const written = await writeProposal({ ...asked, receipt: cases.saves }, nodeFiles);
    assert.ok(written.ok);
    assert.equal(await readFile(written.value.definition, "utf8"), asked.definition);
    assert.ok(readReceipt(await readFile(written.value.receipt, "utf8")).ok);
    assert.deepEqual(await writeProposal({ ...asked, receipt: cases.saves }, nodeFiles), written);
    for (const receipt of [cases.costs, cases.undecided, cases.notAsGood]) {
      const refused = await writeProposal({ ...asked, receipt }, nodeFiles);
      assert.ok(!refused.ok && refused.reason === "not_better");
    }
    const outside = await writeProposal({ ...asked, receipt: { ...cases.saves, agent: "../x" } }, nodeFiles);
    assert.ok(!outside.ok && outside.reason === "bad_agent");
    assert.equal((await readdir(path.join(workspace, ".purser", "proposals"))).length, 3);
  } finally {
    await rm(workspace, { recursive: true });
  }
});

test("the difference in money comes first, with its interval, unless a task broke", () => {
  const cost = (value: number, low: number, high: number) => ({
    before: 0.7,
    share: { value, low, high, level: 0.9 },
  });
  const worded = (receipt: Receipt, of: ReturnType<typeof cost>) => {
    const { text } = describeComparison({ ...receipt, cost: of });
    const words = describeComparison(receipt).text;
    assert.ok(text.endsWith(` ${words}`));
    return text.slice(0, -words.length - 1);
  };
  assert.equal(
    worded(cases.saves, cost(0.58, 0.52, 0.63)),
    "haiku costs $0.41 ($0.36 to $0.44, 90% confidence) less a run.",
  );
  assert.equal(
    worded(cases.undecided, cost(-0.2, -0.3, -0.1)),
    "haiku costs $0.14 ($0.070 to $0.21, 90% confidence) more a run.",
  );
  assert.equal(
    worded(cases.undecided, cost(0.2, -0.1, 0.5)),
    "No difference in money is shown: −$0.14 (−$0.35 to $0.070, 90% confidence) a run.",
  );
  assert.equal(
    worded(receiptOf(cheaper, "ablation"), cost(0.58, 0.52, 0.63)),
    "Without CLAUDE.md#style, a run costs $0.41 ($0.36 to $0.44, 90% confidence) less.",
  );
  const regression = { ...cases.regression, cost: cost(0.5, 0.4, 0.6) };
  assert.equal(describeComparison(regression).text, describeComparison(cases.regression).text);
});

test("of several changes, those that save most money come first, each with its money", () => {
  const share = { value: 0.5, low: 0.4, high: 0.6, level: 0.9 };
  const less = { ...cases.saves, cost: { before: 1, share: { ...share, value: 0.3, low: 0.2 } } };
  const most = {
    ...cases.saves,
    sides: [side("sonnet"), side("opus")] as const,
    cost: { before: 1, share },
  };
  assert.equal(
    describeArms([less, most, cases.costs]).text,
    "2 of 3 are shown to be cheaper than sonnet and as good: opus, $0.50 ($0.40 to $0.60, 90% confidence) less a run, haiku, $0.30 ($0.20 to $0.60, 90% confidence) less a run (largest saving first).",
  );
});
