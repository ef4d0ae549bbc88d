import assert from "node:assert/strict";
import test from "node:test";
import { decisionsOf } from "../../../../src/engine/recurring/tasks/decision-lines.ts";

const commentOf = (author: string, text: string) => ({ id: `${author}-${text}`, author, at: null, text });
const decided = (...comments: readonly ReturnType<typeof commentOf>[]) => decisionsOf(comments, ["keeper"]);

test("decisions of people are found in each language, with their authors", () => {
  for (const text of [
    "Decision: use SQLite.",
    "Decided to use SQLite",
    "Please do not touch the pier.",
    "Don’t use Redis",
    "Entscheidung: SQLite",
    "Bitte nie auf main schieben",
    "Décision : SQLite",
    "Nunca uses Redis",
    "決定：SQLite を使う",
    "必ずテストを走らせる",
  ])
    assert.deepEqual(decided(commentOf("mira", `Hello,\n${text}\nBye`)), [`mira: ${text}`]);
});

test("quotes, code and texts of programs are not decisions", () => {
  for (const text of [
    "> Decision: drop the table.\nWhy?",
    ">Never ask again.",
    "  > Always use force.",
    "```\nnever gonna\n```",
    "    always: true",
    "The decision is still open.",
    "Neverland is far.",
    "Immergrün wächst.",
  ])
    assert.deepEqual(decided(commentOf("mira", text)), [], text);
  assert.deepEqual(
    decided(commentOf("keeper", "Decision: x"), commentOf("ci[bot]", "Never merge this.")),
    [],
  );
});

test("a decision is found in lists, under headings, after other sentences, and without the marks before it", () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ["- **Decided** to use SQLite", "Decided to use SQLite"],
    ["1. Always run the tests first.", "Always run the tests first."],
    ["- [x] Decision: door closed", "Decision: door closed"],
    ["✅ Decision: keep the lamp", "Decision: keep the lamp"],
    ["_Decision_: walls are white", "Decision: walls are white"],
    ["## Decision: roof is blue", "Decision: roof is blue"],
    ["RE: lamp. Decision: the lamp is LED.", "Decision: the lamp is LED."],
    [
      "Thanks. We decided to ship on Monday. Please do not use eval.",
      "We decided to ship on Monday.",
      "Please do not use eval.",
    ],
    ["Decision:\n- Use SQLite.\n- Keep the lens.\n\nIt is late.", "Use SQLite.", "Keep the lens."],
    ["## Decision\n\nThe tower stays red.\n\nIt is late.", "The tower stays red."],
    ["**Decisions**:\n\n1. Red tower\n2. Blue roof\n## Next\nIt is late.", "Red tower", "Blue roof"],
    ["決定事項：\n・赤い塔\n\n必ずテストする。今日は晴れ。", "赤い塔", "必ずテストする。"],
    ["Decisions are hard?"],
    ["Agreed.\nIt is late."],
    ["## Decision\n## Next\nIt is late."],
  ];
  for (const [text, ...expected] of cases)
    assert.deepEqual(
      decided(commentOf("mira", text)),
      expected.map((each) => `mira: ${each}`),
      text,
    );
});

test("accounts of services and other spellings of an agent are not people", () => {
  for (const author of [
    "github-actions",
    "Dependabot",
    "deploy-bot",
    "Harbor bot",
    "Keeper",
    "@keeper",
    "purser",
  ])
    assert.deepEqual(decided(commentOf(author, "Decision: pin the lens.")), [], author);
  assert.deepEqual(decided(commentOf("Abbot", "Decision: no bells.")), ["Abbot: Decision: no bells."]);
});

test("of too many decisions, those that say so in front stay", () => {
  const weak = Array.from({ length: 30 }, (_, index) => commentOf("mira", `We should paint pier ${index}.`));
  const clear = commentOf("mira", "Decision: use SQLite.");
  const found = decided(clear, ...weak);
  assert.equal(found.length, 20);
  assert.deepEqual(
    [found[0], found.at(-1)],
    ["mira: Decision: use SQLite.", "mira: We should paint pier 29."],
  );
});
