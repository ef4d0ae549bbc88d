import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { taskText } from "../../../../src/engine/cli/economy/task-text.ts";
import { succeed, fail } from "../../../../src/engine/base/result.ts";
import { Desk, fetchModeOf } from "../../../../src/engine/recurring/tasks/desk.ts";
import { digestOf } from "../../../../src/engine/recurring/tasks/thread-digest.ts";
import { TaskReader } from "../../../../src/engine/recurring/tasks/reader.ts";
import type { TaskSource } from "../../../../src/engine/recurring/tasks/tasks-source.ts";
import {
  task as taskSchema,
  type Task,
  type TaskComment,
} from "../../../../src/engine/recurring/tasks/task.ts";
import { scratchFolder } from "../../support/scratch.ts";

const taskOf = (id: string, over: Partial<Task> = {}): Task => ({
  ...taskSchema.parse({ id, title: `Task ${id}`, state: "todo" }),
  assignee: "keeper",
  ...over,
});
const commentOf = (id: string, author: string, at: number | null = 1): TaskComment => ({
  id,
  author,
  at,
  text: `Says ${id}.`,
});

function place(t: TestContext) {
  const tasks: Task[] = [];
  const threads = new Map<string, TaskComment[]>();
  const source: TaskSource = {
    list: () => Promise.resolve(succeed({ tasks, problems: [] })),
    read: (id) => {
      const task = tasks.find((each) => each.id === id);
      return Promise.resolve(
        task === undefined
          ? fail("no_such_task", plainSentence(id))
          : succeed({ task, comments: threads.get(id) ?? [] }),
      );
    },
    comment: () => Promise.resolve(fail("source_failed", plainSentence("read-only"))),
    setState: () => Promise.resolve(fail("source_failed", plainSentence("read-only"))),
  };
  const folder = scratchFolder(t);
  const desk = new Desk(path.join(folder, "desk"));
  const reader = (wake: string | null = "w1") =>
    new TaskReader({
      source,
      asker: { name: "keeper", desk, wake },
      clock: { now: () => 1000 },
      lastWakeOf: () => ({ at: 5, outcome: "failed", detail: plainSentence("broke") }),
    });
  return { tasks, threads, source, desk, reader, folder };
}

const idsOf = async (reader: TaskReader, id: string) => {
  const found = await reader.comments(id, { after: null, since: null, isWhole: false });
  return found.ok ? [found.value.mode, ...found.value.comments.map((each) => each.id)] : [found.detail.text];
};

describe("TaskReader", () => {
  it("gives an agent each comment of others once, the whole thread only first, and counts it so", async (t) => {
    const { tasks, threads, desk, reader } = place(t);
    tasks.push(taskOf("T1"));
    threads.set("T1", [commentOf("a", "mira"), commentOf("b", "ada")]);
    assert.deepEqual(await idsOf(reader(), "T1"), ["full", "a", "b"]);
    assert.deepEqual(await idsOf(reader(), "T1"), ["delta"]);
    // Git merges a comment with an earlier time; the agent's own is not new.
    threads.set("T1", [
      commentOf("z", "mira", 0),
      commentOf("a", "mira"),
      commentOf("b", "ada"),
      commentOf("c", "keeper"),
    ]);
    assert.deepEqual(await idsOf(reader("w2"), "T1"), ["delta", "z"]);
    assert.deepEqual(
      (await desk.callsOf("w1")).map(({ mode }) => mode),
      ["full", "delta"],
    );
    assert.equal(fetchModeOf(await desk.callsOf("w2")), "delta");
    assert.equal(fetchModeOf(await desk.callsOf("w3")), "none");
  });

  it("shows only the changes of a task, and its description once", async (t) => {
    const { tasks, threads, reader } = place(t);
    tasks.push(taskOf("T1", { description: "Long.", parent: "T2" }), taskOf("T2", { parent: "T1" }));
    threads.set("T1", [commentOf("a", "mira")]);
    const first = await reader().context("T1", false);
    assert.ok(first.ok);
    assert.deepEqual(
      [first.value.description, first.value.changes, first.value.next, first.value.parents],
      ["Long.", [], "comments", [{ id: "T2", title: "Task T2", state: "todo" }]],
    );
    await idsOf(reader(), "T1");
    tasks[0] = taskOf("T1", { description: "Long.", state: "blocked", assignee: null });
    const second = await reader().context("T1", false);
    assert.ok(second.ok);
    assert.deepEqual(
      [second.value.description, second.value.changes, second.value.next, second.value.lastWake?.outcome],
      [null, ["state: todo → blocked", "assignee: keeper → nobody"], "nothing", "failed"],
    );
    tasks[0] = taskOf("T1", { description: "Longer." });
    const third = await reader().context("T1", false);
    assert.equal(third.ok ? third.value.description : "", "Longer.");
  });

  it("puts work that is under way first, blocked tasks last, and leaves others' out", async (t) => {
    const { tasks, threads, reader } = place(t);
    tasks.push(
      taskOf("T1", { priority: "low" }),
      taskOf("T2", { priority: "critical", blockedBy: ["T1"] }),
      taskOf("T3", { priority: "low", state: "in_progress" }),
      taskOf("T4", { priority: "high" }),
      taskOf("T5", { state: "done" }),
      taskOf("T6", { assignee: "mira" }),
      taskOf("T7", { blockedBy: ["T5"], priority: "medium" }),
    );
    threads.set("T4", [commentOf("a", "mira", 7), commentOf("b", "keeper", 9)]);
    const inbox = await reader().inbox();
    assert.ok(inbox.ok);
    assert.deepEqual(
      inbox.value.items.map(({ id }) => id),
      ["T3", "T4", "T7", "T1", "T2"],
    );
    const { newComments, lastExternalCommentAt } = inbox.value.items[1] ?? {};
    assert.deepEqual([newComments, lastExternalCommentAt], [1, 7]);
  });

  it("ignores a damaged or forged cursor, and an invalid id", async (t) => {
    const { tasks, threads, desk, reader } = place(t);
    tasks.push(taskOf("T1"));
    threads.set("T1", [commentOf("a", "mira")]);
    await idsOf(reader(), "T1");
    writeFileSync(path.join(desk.folder, "T1.json"), '{"comments": 7');
    assert.deepEqual(await idsOf(reader(), "T1"), ["full", "a"]);
    const gone = await reader().comments("T1", { after: "x", since: null, isWhole: false });
    assert.equal(gone.ok ? "" : gone.reason, "no_such_comment");
  });

  it("loses and repeats no comment in any order of arrivals and reads", async (t) => {
    const { tasks, threads, source, folder } = place(t);
    tasks.push(taskOf("T1"));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 8 }),
        async (batches) => {
          const desk = new Desk(path.join(folder, `desk-${(round += 1)}`));
          const reader = new TaskReader({
            source,
            asker: { name: "keeper", desk, wake: "w" },
            clock: { now: () => 1 },
            lastWakeOf: () => null,
          });
          const thread = new Map<string, TaskComment>();
          const shown: string[] = [];
          for (const batch of batches) {
            for (const number of batch) thread.set(`c${number}`, commentOf(`c${number}`, "mira", number));
            threads.set(
              "T1",
              [...thread.values()].toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)),
            );
            shown.push(...(await idsOf(reader, "T1")).slice(1));
          }
          assert.deepEqual(shown.toSorted(), [...thread.keys()].toSorted());
        },
      ),
      { numRuns: 30 },
    );
  });
});

it("A digest of the whole thread counts as seen and is not repeated; a summary does neither", async (t) => {
  const { tasks, threads, reader, desk } = place(t);
  tasks.push(taskOf("T1"), taskOf("T2"));
  threads.set("T1", [commentOf("a", "mara"), commentOf("b", "mara")]);
  const long = (id: string) => ({ ...commentOf(id, "mara"), text: `Words of ${id}. `.repeat(200) });
  threads.set("T2", ["a", "b", "c", "d", "e", "f"].map(long));
  const read = reader();
  const whole = await read.digest("T1");
  const summary = await read.digest("T2");
  assert.deepEqual([whole.ok && whole.value.isWhole, summary.ok && summary.value.isWhole], [true, false]);
  assert.deepEqual(
    (await desk.callsOf("w1")).map(({ task, mode }) => [task, mode]),
    [
      ["T1", "full"],
      ["T2", "summary"],
    ],
  );
  assert.deepEqual(await idsOf(read, "T1"), ["delta"]);
  assert.deepEqual((await idsOf(read, "T2")).length, 7);
});

describe("digestOf", () => {
  const author = fc.constantFrom("mira", "ada", "keeper");
  const line = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.constantFrom("Decision: keep the lamp.", "- [ ] order glass", "Which glass?", "Next: paint"),
  );
  const thread = fc.array(
    fc.record({
      author,
      at: fc.option(fc.constant(1_700_000_000_000)),
      text: fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n")),
    }),
    { maxLength: 40 },
  );
  const commentsOf = (drafts: readonly Omit<TaskComment, "id">[]): TaskComment[] =>
    drafts.map((each, index) => ({ ...each, id: `c${index}` }));

  it("has decisions, questions and open items without repeats, deterministically, and reports omissions", () => {
    const comments = [
      { id: "a", author: "mira", at: 1, text: "Decision: keep the lamp.\n- [ ] order glass\n- [x] clean" },
      { id: "b", author: "mira", at: 2, text: `Which glass?\n${"z".repeat(900)}` },
      { id: "c", author: "ada", at: 3, text: "Decision: keep the lamp." },
      { id: "d", author: "ada", at: 3, text: "x".repeat(2000) },
      { id: "e", author: "ada", at: 3, text: "Next: paint.\n- [ ] order glass" },
    ];
    const task = taskOf("T1", {
      check: "test -e lit",
      description: `Do it.\n- [ ] first\n${"y".repeat(3000)}`,
    });
    const digest = digestOf(task, comments);
    assert.equal(digest.isWhole, false);
    assert.equal(digest.check, "test -e lit");
    // The description, and the last comments, show the others.
    assert.deepEqual(digest.open, []);
    assert.deepEqual(
      digest.key.map(({ line: each }) => each),
      ["Which glass?"],
    );
    assert.deepEqual(digest.leftOut, { comments: 3, lines: 0, characters: task.description.length - 1500 });
    assert.deepEqual(digest.authors, [
      { author: "ada", comments: 3 },
      { author: "mira", comments: 2 },
    ]);
    assert.ok(JSON.stringify(digest).length < 4000);
    assert.deepEqual(digestOf(task, comments), digest);
  });

  it("is no longer than its thread, and equal to it if a summary is no shorter", () => {
    fc.assert(
      fc.property(thread, fc.string({ maxLength: 3000 }), (drafts, description) => {
        const [task, comments] = [taskOf("T1", { description }), commentsOf(drafts)];
        const digest = digestOf(task, comments);
        const printed = taskText({ schema: 1, digest });
        const whole = taskText({ schema: 1, task: { ...task, blockedBy: [] }, comments });
        assert.ok(printed.length <= whole.length, `${printed.length} of ${whole.length}`);
        if (digest.isWhole) for (const { id } of comments) assert.ok(printed.includes(`[${id}]`));
      }),
    );
  });

  it("has no line twice, and counts each comment that is not whole", () => {
    fc.assert(
      fc.property(thread, (drafts) => {
        const comments = commentsOf(drafts);
        const { open, key, last, leftOut, isWhole } = digestOf(taskOf("T1"), comments);
        if (isWhole) return;
        const lines = [...open, ...key.map(({ line: each }) => each)];
        assert.equal(new Set(lines).size, lines.length);
        const shown = new Set(last.flatMap(({ text }) => text.split("\n").map((each) => each.trim())));
        assert.ok(key.every(({ line: each }) => !shown.has(each)));
        assert.ok(lines.length <= 40 && last.length <= 3);
        const wholes = comments.filter(({ id, text }) =>
          last.some((each) => each.id === id && each.text === text),
        );
        assert.equal(leftOut.comments, comments.length - wholes.length);
      }),
    );
  });
});
