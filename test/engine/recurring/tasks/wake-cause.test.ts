import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { chooseTask } from "../../../../src/engine/recurring/tasks/wake-cause.ts";
import { unseen, withSeenComments, withSeenTask } from "../../../../src/engine/recurring/tasks/desk.ts";
import type { TaskSource } from "../../../../src/engine/recurring/tasks/tasks-source.ts";
import {
  task as taskSchema,
  type Task,
  type TaskComment,
} from "../../../../src/engine/recurring/tasks/task.ts";
import type { WakeSource } from "../../../../src/engine/ledger/woken.ts";

type Comment = readonly [author: string, text: string, isSeen: boolean];

/** Tasks of keeper, which works on T1; `unassigned` belong to somebody else. */
function place(
  said: Readonly<Record<string, readonly Comment[]>>,
  {
    unassigned = [],
    changes = {},
  }: {
    readonly unassigned?: readonly string[];
    readonly changes?: Readonly<Record<string, Partial<Task>>>;
  } = {},
) {
  const tasks = Object.keys(said).map((id) => ({
    ...taskSchema.parse({ id, title: id, state: id === "T9" ? "done" : "todo" }),
    assignee: unassigned.includes(id) ? "mira" : "keeper",
    ...changes[id],
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
        task === undefined
          ? fail("no_such_task", plainSentence(id))
          : succeed({ task, comments: commentsOf(id) }),
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
      earlier = ["T1"],
      assigned = null,
      shown = {},
    }: {
      readonly known?: readonly string[];
      readonly taskId?: string | null;
      readonly earlier?: readonly string[];
      readonly assigned?: readonly string[] | null;
      /** Tasks as they were when the agent saw them. */
      readonly shown?: Readonly<Record<string, Partial<Task>>>;
    } = {},
  ): Promise<string | null> => {
    const chosen = await chooseTask(
      {
        agent: "keeper",
        taskId,
        source: from,
        earlier,
        assigned,
        cursorOf: (id) => {
          const task = tasks.find((each) => each.id === id);
          if (task === undefined || !known.includes(id)) return unseen;
          return withSeenComments(
            withSeenTask(unseen, { ...task, ...shown[id] }, 1),
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

  it("is that of a mention however the name is written", async () => {
    for (const text of [
      "Done.@keeper please",
      "_@keeper_ look",
      "**@keeper**",
      "お願い＠keeperさん",
      "@KEEPER- see",
      "cc\t@keeper's",
      "(@keeper)",
      "    - @keeper, in a list",
      "`@keeper` look here",
      "> @keeper look",
    ]) {
      const choose = place({ T1: [["mira", "New here", false]], T2: [["mira", text, false]] });
      assert.equal(await choose("mention"), "T2", text);
    }
    for (const text of [
      "npm i @keepers/lamp",
      "@keeper_two",
      "@keeper-two look",
      "me@keeper.org",
      "keeper",
    ]) {
      const choose = place({ T1: [["mira", "New here", false]], T2: [["mira", text, true]] });
      assert.equal(await choose("mention"), "T1", text);
    }
  });

  it("is that of a mention in prose before one that is quoted, in code or in an address", async () => {
    for (const quoted of [
      "> @keeper look\n\nI did.",
      "```python\n@keeper\ndef lamp(): ...\n```",
      "Use `@keeper` there.",
      "Use @keeper/lamp there.",
      "See https://example.org/@keeper there.",
    ]) {
      const choose = place({
        T1: [],
        T2: [["mira", "@keeper look", false]],
        T3: [["ada", quoted, false]],
      });
      assert.equal(await choose("mention"), "T2", quoted);
    }
  });

  it("is that of a mention in its title or in a description that is new", async () => {
    const choose = (description: string) =>
      place({ T1: [], T2: [] }, { changes: { T2: { description, title: "Lamp" } } })("mention", {
        shown: { T2: { description: "Before" } },
      });
    assert.equal(await choose("@keeper: mend it"), "T2");
    assert.equal(await choose("Mend it"), "T1");
    const titled = place({ T1: [], T2: [] }, { changes: { T2: { title: "For @keeper" } } });
    assert.equal(await titled("mention", { known: ["T1"] }), "T2");
  });

  it("is found among more tasks than are read, as a comment makes its task the newest", async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `T${index + 10}`);
    const choose = place(
      { T1: [], ...Object.fromEntries(ids.map((id) => [id, []])), T200: [["mira", "@keeper", false]] },
      { unassigned: ["T200"], changes: { T200: { updatedAt: 2000 }, T1: { updatedAt: 1000 } } },
    );
    assert.equal(await choose("mention"), "T200");
  });

  it("is the agent's whatever case its name has, and own comments are not new", async () => {
    const choose = place(
      { T1: [], T2: [["Keeper", "@keeper: mine", false]], T3: [["mira", "Please", false]] },
      { changes: { T3: { assignee: "@Keeper" } } },
    );
    assert.equal(await choose("mention"), "T3");
    assert.equal(await choose("assignment", { known: ["T1", "T2"] }), "T3");
  });

  it("is the one that became the agent's since its last wake, not one that it has not come to yet", async () => {
    const choose = place({ T1: [], T2: [], T3: [], T4: [] }, { changes: { T2: { priority: "critical" } } });
    const before = { known: ["T1"], assigned: ["T1", "T2", "T3"] };
    assert.equal(await choose("assignment", before), "T4");
    // Given away and given back, while the agent was awake for another task.
    assert.equal(await choose("assignment", { assigned: ["T1", "T2", "T4"] }), "T3");
    assert.equal(await choose("assignment", { ...before, assigned: ["T1", "T2", "T3", "T4"] }), "T2");
  });

  it("is work to review or in the backlog, if that was assigned", async () => {
    for (const state of ["in_review", "backlog", "blocked"] as const) {
      const choose = place({ T1: [], T2: [] }, { changes: { T2: { state } } });
      assert.equal(await choose("assignment", { known: ["T1"] }), "T2", state);
      assert.equal(await choose("timer", { known: ["T1"] }), "T1", state);
    }
  });

  it("is the one that changed since it was shown, if all were the agent's before", async () => {
    const choose = place(
      { T1: [], T2: [], T3: [] },
      { changes: { T3: { updatedAt: 5000 }, T2: { updatedAt: 1 } } },
    );
    assert.equal(await choose("assignment", { assigned: ["T1", "T2", "T3"] }), "T3");
  });

  it("is the agent's own again after a mention in somebody else's", async () => {
    const choose = place({ T0: [], T1: [], T3: [] }, { unassigned: ["T3"] });
    assert.equal(await choose("timer", { earlier: ["T1", "T3"] }), "T1");
    assert.equal(await choose("timer", { earlier: [] }), "T0");
  });
});
