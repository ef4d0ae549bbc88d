import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { chooseTask } from "../../../../src/engine/recurring/tasks/wake-cause.ts";
import { unseen, withSeenComments, withSeenTask } from "../../../../src/engine/recurring/tasks/cursor.ts";
import type { TaskSource } from "../../../../src/engine/recurring/tasks/tasks-source.ts";
import { task as taskSchema, type TaskComment } from "../../../../src/engine/recurring/tasks/task.ts";
import type { WakeSource } from "../../../../src/engine/ledger/entries/woken.ts";

type Comment = readonly [author: string, text: string, isSeen: boolean];

/** Tasks of keeper, which works on T1; `others` belong to other agents. */
function place(
  said: Readonly<Record<string, readonly Comment[]>>,
  { unassigned = [] }: { readonly unassigned?: readonly string[] } = {},
) {
  const tasks = Object.keys(said).map((id) => ({
    ...taskSchema.parse({ id, title: id, state: id === "T9" ? "done" : "todo" }),
    assignee: unassigned.includes(id) ? "mira" : "keeper",
  }));
  const commentsOf = (id: string): (TaskComment & { isSeen: boolean })[] =>
    (said[id] ?? []).map(([author, text, isSeen], index) => ({
      id: `${id}-${index}`,
      author,
      at: 1000 * index + Number(id.slice(1)),
      text,
      isSeen,
    }));
  const source: TaskSource = {
    list: () => Promise.resolve(succeed({ tasks, problems: [] })),
    read: (id) => {
      const task = tasks.find((each) => each.id === id);
      return Promise.resolve(
        task === undefined ? fail("no_such_task", id) : succeed({ task, comments: commentsOf(id) }),
      );
    },
    comment: () => Promise.resolve(succeed("c")),
    setState: () => Promise.resolve(succeed(null)),
  };
  return async (
    from: WakeSource,
    {
      known = Object.keys(said),
      taskId = null,
    }: { readonly known?: readonly string[]; readonly taskId?: string | null } = {},
  ): Promise<string | null> => {
    const chosen = await chooseTask(
      {
        agent: "keeper",
        taskId,
        source: from,
        last: "T1",
        cursorOf: (id) => {
          const task = tasks.find((each) => each.id === id);
          if (task === undefined || !known.includes(id)) return unseen;
          return withSeenComments(
            withSeenTask(unseen, task, 1),
            commentsOf(id).filter(({ isSeen }) => isSeen),
          );
        },
      },
      source,
    );
    assert.ok(chosen.ok);
    return chosen.value.thread?.task.id ?? null;
  };
}

describe("the task of a wake", () => {
  it("is the one in which somebody mentioned the agent, whoever owns it", async () => {
    const choose = place(
      {
        T1: [["mira", "@keeper see here", true]],
        T2: [["mira", "Anything new?", false]],
        T3: [["ada", "Could @keeper, please, look?", false]],
      },
      { unassigned: ["T3"] },
    );
    assert.equal(await choose("mention"), "T3");
    assert.equal(await choose("mention", { taskId: "T2" }), "T2");
    for (const source of ["timer", "manual"] as const) assert.equal(await choose(source), "T1");
  });

  it("is the one with the newest mention, and without one that which has new comments", async () => {
    const choose = place({
      T1: [],
      T2: [["mira", "@Keeper: first", false]],
      T3: [
        ["mira", "well", true],
        ["mira", "and @keeper second", false],
      ],
    });
    assert.equal(await choose("mention"), "T3");
    const without = place({ T1: [], T2: [["mira", "Mail me@keeper.org, @keeper-two", false]] });
    assert.equal(await without("mention"), "T2");
    const own = place({ T1: [], T2: [["keeper", "@keeper said so", false]] });
    assert.equal(await own("mention"), "T1");
  });

  it("is never a closed one", async () => {
    assert.equal(await place({ T1: [], T9: [["mira", "@keeper thanks", false]] })("mention"), "T1");
  });

  it("is the one that was assigned since the agent looked", async () => {
    const choose = place({ T1: [], T2: [], T3: [] });
    assert.equal(await choose("assignment", { known: ["T1", "T2"] }), "T3");
    assert.equal(await choose("assignment"), "T1");
    assert.equal(await choose("timer", { known: ["T1"] }), "T1");
  });
});
