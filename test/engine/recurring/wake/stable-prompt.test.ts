import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { contextOf } from "../../../../src/engine/recurring/tasks/tasks-context.ts";
import { unseen } from "../../../../src/engine/recurring/tasks/desk.ts";
import { task as taskSchema, type TaskComment } from "../../../../src/engine/recurring/tasks/task.ts";
import { wakePrompt, type WakeNews } from "../../../../src/engine/recurring/wake/stable-prompt.ts";
import { wakeSources } from "../../../../src/engine/ledger/woken.ts";
import { recurringAgent } from "./support/agent.ts";

const agent = recurringAgent("keeper", "wake: Go on.");
const task = taskSchema.parse({
  id: "T1",
  title: "Mend\nthe light",
  state: "todo",
  description: "It is out.",
});
const context = contextOf(
  { task, comments: [], cursor: unseen },
  { all: [task], agent: "keeper", lastWake: null, isWhole: false },
);
const comment = fc.record({
  id: fc.string({ minLength: 1 }),
  author: fc.string({ minLength: 1 }),
  at: fc.constant(1),
  text: fc.string({ maxLength: 4000 }),
});
const news: fc.Arbitrary<WakeNews> = fc.record({
  source: fc.constantFrom(...wakeSources),
  context: fc.constantFrom(null, context),
  comments: fc.array(comment, { maxLength: 6 }),
  isWhole: fc.boolean(),
  trouble: fc.option(fc.string()),
});

describe("wakePrompt", () => {
  it("has the same bytes before the new part, and a new session's ends as a resumed one's", () => {
    fc.assert(
      fc.property(news, news, fc.option(fc.string({ minLength: 1 })), (one, other, carried) => {
        const [first, second] = [one, other].map((each) =>
          wakePrompt(agent, each, { isNew: false, carried: null }),
        );
        assert.ok(first !== undefined && second !== undefined);
        assert.equal(first.constant, second.constant);
        assert.equal(first.text.slice(0, first.constant), second.text.slice(0, second.constant));
        const begun = wakePrompt(agent, one, { isNew: true, carried });
        assert.ok(begun.text.startsWith("Tasks are read with `purser task`"));
        assert.ok(begun.text.endsWith(first.text.slice(first.constant)));
        if (carried !== null) assert.ok(begun.text.includes(carried.trim()));
      }),
    );
  });

  it("carries new comments up to a length, and names the call for more", () => {
    const long: TaskComment[] = Array.from({ length: 20 }, (_, index) => ({
      id: `c${index}`,
      author: "mira",
      at: 1,
      text: "x".repeat(1000),
    }));
    const whole = wakePrompt(
      agent,
      { source: "timer", context, comments: long, isWhole: false, trouble: null },
      { isNew: false, carried: null },
    );
    assert.match(whole.text, /20 new comments: purser task comments T1\n$/u);
    assert.equal(whole.hasComments, false);
    const some = wakePrompt(
      agent,
      { source: "timer", context, comments: long.slice(0, 2), isWhole: false, trouble: null },
      { isNew: false, carried: null },
    );
    assert.ok(some.hasComments && some.text.includes("[c1] mira:\nxxx"));
    assert.match(some.text, /\nTask T1: Mend the light \(todo\)\n/u);
  });
});
