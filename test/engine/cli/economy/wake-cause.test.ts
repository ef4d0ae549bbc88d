import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noShell } from "../../support/fake-claude.ts";
import { writeTree } from "../../support/write-tree.ts";
import { promptOf, wakePlace } from "./wake-place.ts";

const taskFile = (title: string, head: string) => `---\ntitle: ${title}\n${head}---\n${title}, soon.\n`;
const commentFile = (author: string, text: string) =>
  `---\nauthor: ${author}\nat: 2026-11-22T08:00:00Z\n---\n${text}\n`;

describe("the task that purser run takes", { skip: noShell, concurrency: true }, () => {
  it("is that of the mention or assignment, and then the agent's own again", async (t) => {
    const { one, starts, project } = wakePlace(t);
    writeTree(project, {
      ".purser/tasks/T0.md": taskFile("Sweep the stairs", "assignee: keeper\npriority: low\n"),
      ".purser/tasks/M1.md": taskFile("Paint the tower", "assignee: mira\n"),
    });
    assert.equal((await one()).task, "T1");
    writeTree(project, {
      ".purser/tasks/comments/M1/20261122T080000Z-c.md": commentFile(
        "mira",
        "> @keeper\n\nお願い、＠Keeperさん",
      ),
      ".purser/tasks/T5.md": taskFile("Wind the clock", 'assignee: "@Keeper"\nstate: in_review\n'),
    });
    assert.equal((await one("--source", "mention")).task, "M1");
    assert.match(promptOf(starts().at(-1)), /somebody who mentioned you[^]*Paint the tower, soon[^]*お願い/u);
    assert.equal((await one()).task, "T1");
    writeTree(project, {
      ".purser/tasks/T4.md": taskFile("Count the boats", "assignee: keeper\npriority: low\n"),
    });
    // T0 was the agent's before, and has not been come to. T4 is new, and T5 was known at the last wake.
    assert.equal((await one("--source", "assignment")).task, "T4");
    assert.match(promptOf(starts().at(-1)), /a task that was assigned to you[^]*Count the boats, soon/u);
  });

  it("is not one that the agent blocked itself, until something is new", async (t) => {
    const { one, purser, project } = wakePlace(t, {
      wake: 'RUN purser task block T1 --text "I need a ladder"',
    });
    assert.equal((await one()).wake.stateAfter, "blocked");
    const idle = await purser("run", "keeper", "--source", "timer", "--yes");
    assert.match(idle.stderr, /T1 is blocked, and nothing about it is new/u);
    writeTree(project, {
      ".purser/tasks/comments/T1/20261122T080000Z-c.md": commentFile("mira", "It is at the door."),
    });
    assert.equal((await one("--source", "timer")).task, "T1");
  });
});
