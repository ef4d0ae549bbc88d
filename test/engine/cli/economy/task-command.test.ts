import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import { taskJson } from "../../../../src/engine/cli/economy/economy-schema.ts";
import { wakeEnvironment } from "../../../../src/engine/recurring/wake/recurring-wake-environment.ts";
import { noShell } from "../../support/fake-claude.ts";
import { writeTree } from "../../support/write-tree.ts";
import { Scratch } from "../support/support.ts";

function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const project = path.join(scratch.root, "argo");
  mkdirSync(project);
  writeTree(project, {
    ".purser/agents/keeper.md": "---\nprogram: claude\nmodel: m\n---\n",
    ".purser/agents/clerk.md": "---\nprogram: claude\nmodel: m\ntasks: { command: [touch, ran] }\n---\n",
    ".purser/tasks/T1.md":
      "---\ntitle: Mend the light\nassignee: keeper\ncheck: test -e lit\n---\nIt is out.\n",
    ".purser/tasks/T2.md": "---\ntitle: Paint\nstate: done\n---\n",
    ".purser/tasks/comments/T1/20261121T080000Z-a.md":
      "---\nauthor: mira\nat: 2026-11-21T08:00:00Z\n---\nDark.\n",
  });
  const env = { CLAUDE_CONFIG_DIR: scratch.root, PATH: "/usr/bin:/bin", USER: "ada" };
  const desk = path.join(scratch.root, "desk");
  const wake = wakeEnvironment({ name: "keeper", project, wake: "w1", desk, tasks: "folder" });
  const run = (
    argv: readonly string[],
    more: Record<string, string> = {},
    input: string | null = null,
    command = "task",
  ) =>
    scratch.purser([command, ...argv], {
      cwd: project,
      env: { ...env, ...more },
      now: () => Date.parse("2026-11-21T09:00:00Z"),
      ...(input === null ? {} : { stdin: () => Readable.from([input]) }),
    });
  const purser = (...argv: string[]) => run(argv);
  const inWake = (...argv: string[]) => run(argv, wake);
  const stateOf = (id: string) =>
    /^state: (\w+)$/mu.exec(readFileSync(path.join(project, ".purser/tasks", `${id}.md`), "utf8"))?.[1];
  return { project, purser, inWake, run, stateOf, wake };
}

describe("purser task", { skip: noShell }, () => {
  it("shows an agent what is new in few characters, and a person everything", async (t) => {
    const { inWake, purser } = place(t);
    assert.equal((await inWake("inbox")).stdout, "T1  Mend the light  (todo, medium, 1 new)\n");
    assert.equal(
      (await inWake("context", "T1")).stdout,
      "T1: Mend the light\ntodo, medium, keeper\nDone when this succeeds: test -e lit\nComments: 1, 1 new; next: purser task comments T1\n\nIt is out.\n",
    );
    assert.equal(
      (await inWake("comments", "T1")).stdout,
      "[20261121T080000Z-a] mira, 2026-11-21T08:00Z:\nDark.\n\n",
    );
    assert.equal((await inWake("comments", "T1")).stdout, "No new comments.\n");
    assert.equal(
      (await inWake("context", "T1")).stdout,
      "T1: Mend the light\ntodo, medium, keeper\nDone when this succeeds: test -e lit\nComments: 1, 0 new\n",
    );
    assert.match((await purser("comments", "T1")).stdout, /Dark\./u);
    const shown = taskJson.parse(JSON.parse((await inWake("show", "T1", "--json")).stdout));
    assert.deepEqual([shown.task?.title, shown.comments?.length, shown.mode], ["Mend the light", 1, "full"]);
    const digest = taskJson.parse(JSON.parse((await inWake("digest", "T1", "--json")).stdout));
    assert.equal(digest.digest?.last[0]?.text, "Dark.");
  });

  it("adds comments by an argument or standard input, in the agent's or the person's name", async (t) => {
    const { inWake, run, purser } = place(t);
    assert.match(
      (await inWake("comment", "T1", "--text", "Lit.")).stdout,
      /^Comment 20261121T090000Z-\w+ written\.\n$/u,
    );
    assert.equal((await run(["comment", "T1", "--text", "-"], {}, "A\nlong one.")).code, 0);
    const { comments = [] } = taskJson.parse(JSON.parse((await purser("show", "T1", "--json")).stdout));
    assert.deepEqual(comments.map(({ author, text }) => [author, text]).toSorted(), [
      ["ada", "A\nlong one."],
      ["keeper", "Lit."],
      ["mira", "Dark."],
    ]);
    assert.match((await purser("comment", "T1")).stderr, /--text is needed/u);
    assert.match((await purser("comment", "T1", "--text", " ")).stderr, /--text is empty/u);
    assert.match((await purser("comment", "T9", "--text", "x")).stderr, /there is no task "T9"/u);
  });

  it("closes a task by its check, which in a wake is left to purser", async (t) => {
    const { inWake, purser, project, stateOf } = place(t);
    const asked = await inWake("done", "T1", "--text", "I lit it.");
    assert.match(asked.stdout, /state is in_review; its check runs when this wake ends: test -e lit/u);
    assert.equal(stateOf("T1"), "in_review");
    assert.match(
      (await purser("done", "T1")).stderr,
      /its check is a command, and there is no terminal to ask in/u,
    );
    assert.match(
      (await purser("done", "T1", "--yes")).stderr,
      /T1 stays open: its check ended with exit code 1/u,
    );
    mkdirSync(path.join(project, "lit"));
    assert.match((await purser("done", "T1", "--yes")).stdout, /State is done; its check succeeded\.\n$/u);
    assert.equal(stateOf("T1"), "done");
    assert.equal((await purser("inbox")).stdout, "No open tasks.\n");
  });

  it("blocks a task with the reason as a comment", async (t) => {
    const { inWake, stateOf } = place(t);
    assert.match((await inWake("block", "T1")).stderr, /--text is needed: say what it waits for/u);
    assert.equal((await inWake("block", "T1", "--text", "No glass.")).code, 0);
    assert.equal(stateOf("T1"), "blocked");
  });

  it("runs no command from a file without agreement", async (t) => {
    const { purser, project } = place(t);
    const refused = await purser("inbox", "--agent", "clerk");
    assert.deepEqual([refused.code, existsSync(path.join(project, "ran"))], [1, false]);
    assert.match(refused.stderr, /clerk\.md is not agreed to as it is now.*nothing was run/u);
  });

  it("is the only command an agent may call during its wake: no agreement, no other wakes", async (t) => {
    const { run, wake } = place(t);
    assert.match(
      (await run(["agree", "keeper", "--yes"], wake, null, "agent")).stderr,
      /an agent cannot agree/u,
    );
    assert.match((await run(["keeper", "--yes"], wake, null, "run")).stderr, /a wake cannot wake agents/u);
  });

  it("finds comments after one and since a time", async (t) => {
    const { purser } = place(t);
    assert.equal(
      (await purser("comments", "T1", "--after", "20261121T080000Z-a")).stdout,
      "No new comments.\n",
    );
    assert.match((await purser("comments", "T1", "--since", "2026-11-21")).stdout, /Dark/u);
    assert.match((await purser("comments", "T1", "--since", "soon")).stderr, /--since needs a time/u);
    assert.match((await purser("comments", "T1", "--since", "2026-11-21", "--all")).stderr, /only one of/u);
    assert.match((await purser("skill")).stdout, /^---\nname: purser-tasks\n/u);
  });
});
