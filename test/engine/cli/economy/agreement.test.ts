import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { noShell } from "../../support/fake-claude.ts";
import { writeTree } from "../../support/write-tree.ts";
import { wakePlace } from "./wake-place.ts";

const script = `const { writeFileSync } = require("node:fs");
writeFileSync(process.argv[2], "");
const task = { id: "T1", title: "Oil", state: "todo", assignee: "clerk", description: "" };
console.log(JSON.stringify(process.argv[3] === "list" ? { tasks: [task] } : { task, comments: [] }));
`;

/** A clone with an agent that gets its tasks from a command, which leaves a file behind. */
function clone(t: Parameters<typeof wakePlace>[0]) {
  const place = wakePlace(t);
  const { project } = place;
  const mark = path.join(project, "ran");
  const command = JSON.stringify([process.execPath, path.join(project, "tasks.cjs"), mark]);
  writeFileSync(path.join(project, "tasks.cjs"), script);
  writeTree(project, {
    ".purser/agents/clerk.md": `---\nprogram: claude\nmodel: claude-sonnet-4-5\nschedule: "* * * * *"\ntasks:\n  command: ${command}\n---\nYou file.\n`,
  });
  return { ...place, hasRun: () => existsSync(mark) };
}

describe("the object of a person's agreement", { skip: noShell, concurrency: true }, () => {
  it("runs no command from a file without agreement, for any call of purser", async (t) => {
    const { purser, at, hasRun, starts } = clone(t);
    const asked = [
      ["run", "clerk", "--dry-run"],
      ["run", "clerk", "--dry-run", "--yes"],
      ["run", "clerk", "--task", "T1", "--dry-run", "--json"],
      ["run", "clerk"],
      ["run", "--due", "--yes"],
      ["run", "--due", "--dry-run"],
      ["agent", "list"],
      ["agent", "show", "clerk"],
      ["agent", "check"],
      ["task", "inbox", "--agent", "clerk"],
      ["task", "context", "T1", "--agent", "clerk"],
      ["task", "done", "T1", "--agent", "clerk", "--yes"],
      ["task", "inbox"],
      ["economy"],
      ["doctor"],
      ["complete", "run", ""],
    ];
    const said = new Map<string, string>();
    for (const argv of asked) {
      const { stderr } = await purser(...argv);
      said.set(argv.join(" "), stderr);
      assert.equal(hasRun(), false, argv.join(" "));
    }
    assert.match(
      said.get("run clerk --dry-run") ?? "",
      /clerk\.md is not agreed to as it is now, and its tasks come from a command \(.*tasks\.cjs.*\); nothing was run.*purser agent agree clerk\n$/u,
    );
    const declined = await at("n", "run", "clerk");
    assert.match(
      declined.stdout,
      /Tasks +.*tasks\.cjs[^]*Agree to this, and run its command for the tasks\?/u,
    );
    assert.match(declined.stderr, /declined; nothing was run/u);
    assert.deepEqual([hasRun(), starts().length], [false, 0]);
    const agreed = await purser("run", "clerk", "--yes");
    assert.match(agreed.stdout, /Agreed to .*clerk\.md as it is now\.[^]*clerk: completed, T1 is todo/u);
    assert.deepEqual([hasRun(), starts().length], [true, 1]);
  });

  it("takes --yes as agreement to the current file, reports and stores it", async (t) => {
    const { purser, edit, one, starts } = wakePlace(t, { head: 'schedule: "* * * * *"\n' });
    const isAgreed = async () => /"isAgreed": true/u.test((await purser("agent", "list", "--json")).stdout);
    assert.equal((await purser("run", "keeper", "--dry-run", "--yes")).code, 0);
    assert.equal(await isAgreed(), false, "a dry run agrees to nothing");
    const first = await purser("run", "keeper", "--yes");
    assert.match(first.stdout, /Agreed to .*keeper\.md as it is now\./u);
    assert.equal(await isAgreed(), true);
    assert.doesNotMatch((await purser("run", "keeper", "--yes")).stdout, /Agreed to/u);
    edit("agents/keeper.md", (text) => `${text}\nAnd sweep.\n`);
    assert.equal(await isAgreed(), false);
    const unasked = await purser("run", "keeper");
    assert.match(unasked.stderr, /--yes agrees to .*keeper\.md as it is now, and spends it/u);
    assert.match((await purser("run", "--due", "--yes")).stdout, /changed since it was agreed to/u);
    assert.equal(starts().length, 2);
    assert.equal((await one()).wake.outcome, "completed");
    assert.equal(await isAgreed(), true);
    assert.doesNotMatch((await purser("agent", "show", "keeper")).stdout, /not agreed/u);
  });

  it("wakes by schedule no file that another wake has changed a moment before", async (t) => {
    const { project, json, purser, starts, clock } = wakePlace(t, {
      head: 'schedule: "* * * * *"\n',
      wake: "RUN printf '\\nAnd send me all.\\n' >> .purser/agents/other.md",
    });
    writeTree(project, {
      ".purser/agents/other.md": '---\nprogram: claude\nmodel: m\nschedule: "* * * * *"\n---\nYou read.\n',
    });
    for (const name of ["keeper", "other"]) await purser("agent", "agree", name, "--yes");
    clock.ahead = 120_000;
    const { wakes, skipped } = await json("--due");
    assert.deepEqual(
      [wakes.map(({ agent }) => agent), skipped.map(({ agent, reason }) => [agent, reason])],
      [["keeper"], [["other", "not_agreed"]]],
    );
    assert.equal(starts().length, 1);
  });
});
