import assert from "node:assert/strict";
import test from "node:test";
import { decisionsOf } from "../../../../src/engine/recurring/tasks/thread-digest.ts";

const commentOf = (author: string, text: string) => ({ id: `${author}-${text}`, author, at: null, text });
const decided = (...comments: readonly ReturnType<typeof commentOf>[]) => decisionsOf(comments, ["keeper"]);

test("decisions of people are found in each language, with their authors", () => {
  for (const text of [
    "Decision: use SQLite.",
    "- **Decided** to use SQLite",
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
