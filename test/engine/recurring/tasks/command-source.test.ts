import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Result } from "../../../../src/engine/base/result.ts";
import { CommandSource } from "../../../../src/engine/recurring/tasks/command-source.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { noShell } from "../../support/fake-claude.ts";

const example = path.resolve(import.meta.dirname, "../../../../media/tasks/github.mjs");

/** A source that runs this Node code as its command. */
function played(t: TestContext, code: string, { timeout = 20_000 } = {}): CommandSource {
  const cwd = scratchFolder(t);
  const script = path.join(cwd, "source.mjs");
  writeFileSync(script, code);
  const signal = new AbortController().signal;
  return new CommandSource({ command: [process.execPath, script], timeout, cwd, env: process.env, signal });
}

const task = { id: "7", title: "Mend the light", state: "todo" };
const answers = (value: unknown) => `process.stdout.write(${JSON.stringify(JSON.stringify(value))})`;
const detailOf = (result: Result<unknown>) => (result.ok ? "it succeeded" : result.detail.text);

describe("a command that is a source of tasks", () => {
  it("gets its request by arguments and standard input", async (t) => {
    const source = played(
      t,
      `import { readFileSync } from "node:fs";
       const [verb, ...rest] = process.argv.slice(2);
       const input = JSON.parse(readFileSync(0, "utf8"));
       if (verb === "list") console.log(JSON.stringify({ tasks: [${JSON.stringify(task)}] }));
       else if (verb === "comment") console.log(JSON.stringify({ id: [...rest, input.author, input.text].join("|") }));
       else if (rest.join() !== "7,done") process.exit(1);
       else console.log("{}");`,
    );
    const listed = await source.list();
    assert.ok(listed.ok);
    assert.deepEqual(
      [listed.value.tasks[0]?.title, listed.value.tasks[0]?.priority],
      ["Mend the light", "medium"],
    );
    assert.deepEqual(await source.comment("7", { author: "keeper", text: "Lit." }), {
      ok: true,
      value: "7|keeper|Lit.",
    });
    assert.deepEqual(await source.setState("7", "done"), { ok: true, value: null });
  });

  for (const [what, code, expected] of [
    ["fails", `console.error("no network"); process.exit(3)`, /ended with exit code 3: no network/u],
    ["answers with no JSON", `console.log("hello")`, /answered list with something else/u],
    ["answers with another shape", answers({ tasks: [{ ...task, state: "doing" }] }), /tasks\.0\.state/u],
    ["answers with strange ids", answers({ tasks: [{ ...task, id: "../../etc" }] }), /tasks\.0\.id/u],
    [
      "answers without an end",
      `setInterval(() => process.stdout.write("x".repeat(1 << 20)), 1)`,
      /more than 8388608 bytes/u,
    ],
  ] as const)
    it(`is refused if it ${what}`, async (t) => {
      const listed = await played(t, code).list();
      assert.match(detailOf(listed), expected);
    });

  it("is not waited for longer than it may take", async (t) => {
    const source = played(t, `setInterval(() => undefined, 1000)`, { timeout: 300 });
    assert.match(detailOf(await source.list()), /did not answer within 0\.3 seconds/u);
  });

  it("cannot return another task's id, nor two comments with one id", async (t) => {
    const other = played(t, answers({ task, comments: [] }));
    assert.match(detailOf(await other.read("8")), /the task 7 instead of 8/u);
    const comment = { id: "c", author: "a", text: "" };
    const doubled = played(t, answers({ task, comments: [comment, comment] }));
    assert.match(detailOf(await doubled.read("7")), /the same id/u);
    const twice = await played(t, answers({ tasks: [task, task] })).list();
    assert.ok(twice.ok);
    assert.deepEqual([twice.value.tasks.length, twice.value.problems.length], [1, 1]);
  });

  it("that does not exist is reported", async (t) => {
    const signal = new AbortController().signal;
    const cwd = scratchFolder(t);
    const source = new CommandSource({ command: ["no-such-source"], timeout: 5000, cwd, env: {}, signal });
    assert.match(detailOf(await source.list()), /no-such-source could not be started/u);
  });
});

describe("the example for GitHub", { skip: noShell }, () => {
  /** A `gh` that answers from a table, and records its arguments. */
  function played(t: TestContext) {
    const folder = scratchFolder(t);
    const issue = {
      number: 7,
      title: "Mend the light",
      body: null,
      state: "OPEN",
      stateReason: null,
      labels: [
        { name: "purser" },
        { name: "priority: high" },
        { name: "agent: keeper" },
        { name: "state: todo" },
      ],
      updatedAt: "2026-11-27T09:00:00Z",
    };
    const comments = [{ id: "IC_1", author: null, createdAt: "2026-11-27T08:00:00Z", body: "Dark." }];
    const gh = path.join(folder, "gh");
    const log = path.join(folder, "asked");
    writeFileSync(
      gh,
      `#!${process.execPath}
const args = process.argv.slice(2);
require("node:fs").appendFileSync(${JSON.stringify(log)}, args.join(" ") + "\\n");
const issue = ${JSON.stringify(issue)};
if (args[1] === "list") console.log(JSON.stringify([issue, { ...issue, number: 8, state: "CLOSED", stateReason: "NOT_PLANNED" }]));
else if (args[1] === "view") console.log(JSON.stringify({ ...issue, comments: ${JSON.stringify(comments)} }));
else if (args[1] === "comment") console.log("https://github.com/a/b/issues/7#issuecomment-9");
`,
    );
    chmodSync(gh, 0o755);
    const source = new CommandSource({
      command: [process.execPath, example],
      timeout: 20_000,
      cwd: folder,
      env: { PATH: `${folder}:/usr/bin:/bin` },
      signal: new AbortController().signal,
    });
    return { source, asked: () => readFileSync(log, "utf8") };
  }

  it("gives issues as tasks, and takes comments and states", async (t) => {
    const { source, asked } = played(t);
    const listed = await source.list();
    assert.ok(listed.ok, detailOf(listed));
    assert.deepEqual(
      listed.value.tasks.map(({ id, state, priority, assignee }) => [id, state, priority, assignee]),
      [
        ["7", "todo", "high", "keeper"],
        ["8", "cancelled", "high", "keeper"],
      ],
    );
    const read = await source.read("7");
    assert.ok(read.ok);
    assert.deepEqual(read.value.comments, [
      { id: "IC_1", author: "unknown", at: Date.parse("2026-11-27T08:00:00Z"), text: "Dark." },
    ]);
    assert.deepEqual(await source.comment("7", { author: "keeper", text: "Lit." }), {
      ok: true,
      value: "issuecomment-9",
    });
    assert.ok((await source.setState("7", "in_progress")).ok);
    assert.ok((await source.setState("7", "done")).ok);
    assert.match(
      asked(),
      /issue comment 7 --body Lit\.\n\n\(by keeper\)\n[^]*issue edit 7 --add-label state: in_progress --remove-label state: todo\nissue close 7 --reason completed\n$/u,
    );
  });
});
