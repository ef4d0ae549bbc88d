import assert from "node:assert/strict";
import test from "node:test";
import { digestOf } from "../../../../src/engine/recurring/tasks/thread-digest.ts";
import { task as taskSchema } from "../../../../src/engine/recurring/tasks/task.ts";

const talk = "The lamp was dark again, and the wind came from the west all night long. ".repeat(6);

/** The digest of a thread that is long enough for a summary. */
function digest(description: string, ...texts: readonly string[]) {
  const task = taskSchema.parse({ id: "T1", title: "Mend the light", state: "todo", description });
  const all = [...texts, talk, talk, talk, talk];
  const comments = all.map((text, index) => ({ id: `c${index}`, author: "mira", at: index, text }));
  const found = digestOf(task, comments);
  assert.equal(found.isWhole, false);
  return found;
}

test("items of checklists in any list are open until a later text ticks them", () => {
  const found = digest(
    "In short.",
    "* [ ] Paint\n1. [ ] Sweep\n+ [ ] Wind the clock",
    `- [x] paint\n${talk}`,
    "- [ ] Count",
  );
  assert.deepEqual(found.open, ["Sweep", "Wind the clock", "Count"]);
});

test("decisions under a label, after other sentences and in other languages are among the lines, a label is not", () => {
  const found = digest(
    "In short.",
    `Decision:\n- Use SQLite.\n\n${talk}`,
    `RE: lamp. Decision: it is LED.\n${talk}`,
    `決定：赤い塔\nなぜ？\n${talk}`,
    `Blocked: no ladder. Never climb.\n${talk}`,
  );
  assert.deepEqual(
    found.key.map(({ line }) => line),
    ["Use SQLite.", "Decision: it is LED.", "なぜ？", "決定：赤い塔", "Blocked: no ladder. Never climb."],
  );
});
