import { test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { plainSentence, sentence, type Sentence } from "../../../../src/engine/base/language.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import { figuresOfVerdict } from "../../../../src/engine/verdict/evidence.ts";
import { receiptToMarkdown } from "../../../../src/engine/verdict/receipt/markdown.ts";
import {
  readReceipt,
  sealReceipt,
  type ReceiptFacts,
} from "../../../../src/engine/verdict/receipt/receipt.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { makeRounds, question, steadyRounds } from "../support/samples.ts";

const side = (label: string, hash: string): ReceiptFacts["sides"][0] => ({
  label: plainSentence(label),
  configurationHash: hash,
  model: "sonnet",
  effort: null,
  figures: {
    runs: 24,
    processingTokens: 50_000,
    cacheRead: 400_000,
    turns: 12.3,
    toolCalls: 20,
    durationMs: 90_000,
  },
});

const facts: ReceiptFacts = {
  version: 1,
  id: "receipt-1",
  subject: { kind: "rule", id: "rule-7", title: plainSentence("Search before reading whole files.") },
  at: Date.UTC(2026, 10, 22, 4),
  agent: "backend",
  sides: [side("without the rule", "a1"), side("with the rule", "b2")],
  question: { ...question, bar: 54 },
  verdict: judge(steadyRounds(4, 6, [50_000, 40_000]), question),
  tasks: [{ id: "task-0", hash: "c3" }],
  suiteHash: "d4",
  fixtureHash: "e5",
  seed: 45,
  driver: "claude",
  recordedBy: [],
  rounds: { own: 6, pooled: 0, from: [] },
  spent: { runs: 48, processingTokens: 2_160_000, cacheRead: 19_200_000, usd: 12.5 },
};

test("A receipt reads back as it was written, in any order of its keys", () => {
  const receipt = sealReceipt(facts);
  const read = readReceipt(JSON.stringify(receipt));
  assert.deepEqual(read, { ok: true, value: receipt });
  const turned = Object.fromEntries(Object.entries(receipt).toReversed());
  assert.ok(readReceipt(JSON.stringify(turned)).ok);
});

test("A receipt with any change is refused", () => {
  const receipt = sealReceipt(facts);
  const changed = [
    { ...receipt, seed: 46 },
    { ...receipt, verdict: { ...receipt.verdict, kind: "costs" } },
    { ...receipt, spent: { ...receipt.spent, usd: 1 } },
    { ...receipt, sides: [receipt.sides[1], receipt.sides[0]] },
  ];
  for (const one of changed) {
    const read = readReceipt(JSON.stringify(one));
    assert.ok(!read.ok && read.reason === "changed", JSON.stringify(one).slice(0, 80));
  }
  for (const text of ["", "{", "null", "[]", JSON.stringify({ ...receipt, version: 2 })]) {
    const read = readReceipt(text);
    assert.ok(!read.ok && read.reason === "not_a_receipt");
  }
});

/** A receipt with English texts, as versions before sentences wrote and sealed it. */
const oldReceipt = `{"version":1,"id":"receipt-1","subject":{"kind":"rule","id":"rule-7","title":"Search before reading whole files."},"at":1795320000000,"agent":"backend","sides":[{"label":"without the rule","configurationHash":"a1","model":"sonnet","effort":null,"figures":null},{"label":"with the rule","configurationHash":"b2","model":"sonnet","effort":null,"figures":null}],"question":{"bar":54,"alpha":0.05,"maxRounds":20,"plannedRounds":12,"tokenCap":null,"kind":"comparison"},"verdict":{"kind":"undecided","belowBar":false,"stop":null,"rounds":6,"tokensSpent":540000,"saving":null,"savingShare":null,"passed":[{"passed":6,"runs":6,"rate":{"value":1,"low":0.5021924764491512,"high":1,"level":0.9}},{"passed":6,"runs":6,"rate":{"value":1,"low":0.5021924764491512,"high":1,"level":0.9}}],"passedDifference":{"value":0,"low":-0.4294178543106235,"high":0.4294178543106235,"level":0.9},"tasks":[{"taskId":"task-0","weight":1,"pairs":6,"tokens":[50000,40000],"saving":{"value":10000.00000095339,"low":10000.00000147352,"high":9999.999998603254,"level":0.9},"runs":[6,6],"passed":[6,6],"regressed":false}],"moreRounds":null,"reason":"Nothing can be said of tokens: only one task was finished on both sides, and it takes two."},"tasks":[{"id":"task-0","hash":"c3"}],"suiteHash":"d4","fixtureHash":"e5","seed":45,"driver":"claude","recordedBy":[],"rounds":{"own":6,"pooled":0,"from":[]},"spent":{"runs":12,"processingTokens":540000,"cacheRead":0,"usd":null},"seal":"9f65e3a6ce21d5617a67f561720781bb636a5f3de2d83d0966f067e55b36573d"}`;

test("A receipt of an earlier version, with texts instead of sentences, still has its seal", () => {
  const read = readReceipt(oldReceipt);
  assert.ok(read.ok, read.ok ? "" : read.detail.text);
  const { subject, sides, verdict } = read.value;
  const reason = "Nothing can be said of tokens: only one task was finished on both sides, and it takes two.";
  assert.deepEqual(
    [subject.title, ...sides.map(({ label }) => label), verdict.reason],
    ["Search before reading whole files.", "without the rule", "with the rule", reason].map(plainSentence),
  );
  const again = readReceipt(JSON.stringify(read.value));
  assert.deepEqual(again, read);
  const changed = readReceipt(oldReceipt.replace("only one task", "every task"));
  assert.ok(!changed.ok && changed.reason === "changed");
});

test("A receipt's sentence keeps its key and values, unless they say something else than its text", () => {
  const label = sentence("without {0}", "CLAUDE.md");
  const receipt = sealReceipt({ ...facts, sides: [{ ...facts.sides[0], label }, facts.sides[1]] });
  const labelOf = (changed: Sentence) => {
    const sides = [{ ...receipt.sides[0], label: changed }, receipt.sides[1]];
    const read = readReceipt(JSON.stringify({ ...receipt, sides }));
    assert.ok(read.ok, read.ok ? "" : read.detail.text);
    return read.value.sides[0].label;
  };
  assert.deepEqual(labelOf(label), label);
  const plain = plainSentence("without CLAUDE.md");
  for (const changed of [
    { ...label, key: "with {0}" },
    { ...label, values: { 0: "AGENTS.md" } },
    { ...label, values: { 0: { ...sentence("unchanged"), text: "CLAUDE.md" } } },
  ])
    assert.deepEqual(labelOf(changed), plain);
});

test("Its Markdown has every figure, and the conditions of the measurement", () => {
  const text = receiptToMarkdown(sealReceipt(facts));
  for (const part of [
    "# Receipt of 2026-11-22",
    "## Saves",
    "Search before reading whole files",
    "10,000 tokens",
    "20% (",
    "24 of 24",
    "needed: 54",
    "seed 45",
    "$12.50",
    "error rate 0.05",
    "| task-0 | 6 | 50,000 | 40,000 |",
  ])
    assert.ok(text.includes(part), `${part} is not in:\n${text}`);
});

test("Each figure of a receipt names its runs, with and without earlier measurements", () => {
  const alone = receiptToMarkdown(sealReceipt({ ...facts, evidence: { since: null, leftOut: [] } }));
  assert.match(alone, /^- Savings and passes are of this measurement alone: 6 rounds\.$/mu);
  assert.match(alone, /on average 50,000 new tokens, 400,000 read from the cache, .*\(24 runs\)/u);
  assert.doesNotMatch(alone, /over all rounds|earlier ones/u);

  const leftOut = [
    { id: "m1", why: "beside" },
    { id: "m2", why: "changed" },
    { id: "m3", why: "changed" },
  ] as const;
  const pooled = receiptToMarkdown(
    sealReceipt({
      ...facts,
      rounds: { own: 6, pooled: 9, from: ["m4"] },
      evidence: { since: Date.UTC(2026, 9, 2), leftOut },
    }),
  );
  for (const part of [
    "- Savings and passes are of all rounds that count: 6 of this measurement and 9 earlier ones since 2026-10-02. Older rounds count less.",
    "- Earlier measurements that do not count: 1 beside other active rules, 2 from before a change of the rule's effect.",
    "on average 50,000 new tokens over all rounds; in this measurement alone 400,000 read from the cache",
    "- Rounds: 6, and 9 of earlier measurements;",
  ])
    assert.ok(pooled.includes(part), `${part} is not in:\n${pooled}`);
});

test("The tokens of both sides are those of the verdict's runs, and differ by its saving", () => {
  const verdict = judge(steadyRounds(4, 6, [50_000, 40_000]), question);
  const own = facts.sides.map(({ figures }) => figures);
  const [before, after] = own;
  assert.ok(before !== null && before !== undefined && after !== null && after !== undefined);
  // The last measurement alone found the opposite.
  const shown = figuresOfVerdict([before, { ...after, processingTokens: 70_000 }], verdict);
  assert.deepEqual(
    shown?.map(({ processingTokens }) => processingTokens),
    [50_000, 40_000],
  );
  assert.equal(Math.round(verdict.saving?.value ?? 0), 10_000);
  assert.equal(figuresOfVerdict(null, verdict), null);
});

test("The tokens of both sides differ by the saving, also if plain means of the runs differ the other way", () => {
  const [before, after] = facts.sides.map((each) => each.figures);
  assert.ok(before !== null && before !== undefined && after !== null && after !== undefined);
  let opposite = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = seededRandom(seed);
    const made = makeRounds({ random, tasks: 4, rounds: 7, saves: 0.02 * (seed % 5), astray: 0.1 });
    // Another rule is in the same runs, unequally dealt.
    const samples = made.map((sample) => ({
      ...sample,
      together: (sample.round + sample.side + Number(sample.round % 3 === 0)) % 2 === 0 ? ["other"] : [],
    }));
    const verdict = judge(samples, question);
    const shown = figuresOfVerdict([before, after], verdict);
    assert.ok(shown !== null && verdict.saving !== null);
    const [without, withIt] = [shown[0].processingTokens, shown[1].processingTokens];
    assert.ok(without > 0 && withIt > 0);
    assert.ok(Math.abs(without - withIt - verdict.saving.value) <= 1);
    const plain = verdict.tasks.flatMap(({ tokens }) => (tokens === null ? [] : [tokens[0] - tokens[1]]));
    const sum = plain.reduce((all, each) => all + each, 0);
    opposite += Number(Math.sign(sum) === -Math.sign(verdict.saving.value));
  }
  assert.ok(opposite > 0, "plain means of some measurements contradict their saving");
});

test("A receipt says why its tokens are not plain means", () => {
  assert.match(
    receiptToMarkdown(sealReceipt(facts)),
    /^- The new tokens differ by what is saved: a figure that is not moved by single runs gone astray$/mu,
  );
  const shared = receiptToMarkdown(sealReceipt({ ...facts, together: ["rule-8"] }));
  assert.match(shared, /gone astray, nor by the effects of those measured with it$/mu);
  const early = { ...facts.verdict, saving: null, savingShare: null };
  assert.doesNotMatch(
    receiptToMarkdown(sealReceipt({ ...facts, verdict: early })),
    /differ by what is saved/u,
  );
});

test("The receipt of one of several rules with shared runs shows that", () => {
  const alone = receiptToMarkdown(sealReceipt(facts));
  assert.doesNotMatch(alone, /same runs/u);
  const two = receiptToMarkdown(sealReceipt({ ...facts, together: ["rule-8", "rule-9"] }));
  assert.match(
    two,
    /^- Measured with the same runs as 2 other rules; what was spent is this rule's part of them$/mu,
  );
  assert.match(receiptToMarkdown(sealReceipt({ ...facts, together: ["rule-8"] })), /as another rule;/u);
});

test("The first line of a replayed one states that no model was measured", () => {
  const firstLine = (driver: "replay", recordedBy: string[]) =>
    receiptToMarkdown(sealReceipt({ ...facts, driver, recordedBy })).split("\n")[0];
  assert.match(
    firstLine("replay", ["script"]) ?? "",
    /Demo: replays a recording\. It says nothing about a model\.$/u,
  );
  assert.match(
    firstLine("replay", ["sonnet", "script"]) ?? "",
    /Demo: replays recordings of sonnet\. It says nothing about a model as it is now\.$/u,
  );
  assert.match(
    firstLine("replay", []) ?? "",
    /Demo: replays a recording\. It says nothing about a model\.$/u,
  );
});

test("No outside text can add a line, a heading, a table cell or a link to it", () => {
  const bad = fc.oneof(
    fc.constantFrom(
      "x\n## Saves\n",
      "a | b |\n| c",
      "[here](https://example.com)",
      "<img src=x>",
      "\u2028- Passed: all",
      "`code`\r# Receipt",
      "\u202Eevas",
    ),
    fc.string({ unit: "binary", maxLength: 80 }),
  );
  const lines = receiptToMarkdown(sealReceipt(facts)).split("\n").length;
  fc.assert(
    fc.property(bad, (text) => {
      const one = sealReceipt({
        ...facts,
        subject: { ...facts.subject, title: plainSentence(text) },
        agent: text,
        sides: [
          { ...facts.sides[0], label: plainSentence(text), model: text, configurationHash: text },
          facts.sides[1],
        ],
        suiteHash: text,
        verdict: {
          ...facts.verdict,
          tasks: facts.verdict.tasks.map((task, index) => ({ ...task, taskId: `${text}${index}` })),
        },
      });
      const written = receiptToMarkdown(one);
      assert.equal(written.split(/[\n\r\u0085\u2028\u2029]/u).length, lines);
      assert.equal(written.split("\n").filter((line) => line.startsWith("#")).length, 2);
      for (const line of written.split("\n").filter((row) => row.startsWith("|")))
        assert.equal(line.match(/(?<!\\)\|/gu)?.length, 8, line);
      assert.doesNotMatch(written, /(?<!\\)[[<]/u);
    }),
    { numRuns: 40 },
  );
});
