import assert from "node:assert/strict";
import { it } from "node:test";
import { writeHandover, unattendedPacket } from "../../../../src/engine/continuity/handover/document.ts";
import { renderPacket } from "../../../../src/engine/continuity/packet/render.ts";
import { unattendedWorkOf, awakening } from "../../../../src/engine/recurring/wake/stable-prompt.ts";
import { tasksLesson } from "../../../../src/engine/recurring/tasks/tasks-source.ts";
import { task as taskSchema } from "../../../../src/engine/recurring/tasks/task.ts";
import { packetOf } from "../packet-fixture.ts";

const comment = (id: string, author: string, text: string) => ({ id, author, at: 1, text });
const thread = {
  request: { agent: { name: "keeper", bootstrap: "You keep the harbor." } },
  thread: {
    task: taskSchema.parse({ id: "T1", title: "Mend the light", state: "todo", description: "It is out." }),
    comments: [
      comment("a", "mira", "Decision: keep the lamp.\nWhat else?"),
      comment("b", "keeper", "Decided: I paint it."),
      comment("c", "purser", "Never: The check failed"),
      comment("d", "Painter", "Decided: the tower is red."),
      comment("e", "renovate[bot]", "Always pin the lens."),
    ],
  },
};
const work = unattendedWorkOf(thread, ["keeper", "painter"]);

/** A session that a schedule started three times, with one request from a person. */
const before = packetOf({
  turns: 4,
  asked: [
    { turn: 1, text: tasksLesson.replaceAll(/\s+/gu, " ").slice(0, 290) },
    { turn: 2, text: `${awakening("keeper")} Go on. Woken by your schedule.` },
    { turn: 3, text: "Please look at the lens, too" },
    { turn: 4, text: `${awakening("keeper")} Go on. Woken by your schedule.` },
  ],
  decisions: [
    { turn: 1, text: "never fetch what you were given" },
    { turn: 3, text: "Do not touch the tower" },
    { turn: 4, text: "Go on with your task" },
  ],
  open: [],
  lastReply: "All is done for now.",
});

function textOf(change: Partial<typeof before> = {}): string {
  const packet = unattendedPacket({ ...before, ...change }, work);
  return writeHandover({
    id: "h1",
    agent: "Claude Code",
    packet,
    packetText: renderPacket(packet).text,
    summary: null,
    folder: "/argo",
    git: {
      branch: "main",
      commit: null,
      subject: null,
      changes: [
        { path: "src/errors.ts", how: "changed" },
        { path: "others.md", how: "untracked" },
      ],
      fingerprint: "f",
    },
    madeAt: 0,
    carried: null,
    isUnattended: true,
  }).text;
}

it("The document of a scheduled session has its task, people's decisions and touched files, but no purser prompts", () => {
  const text = textOf();
  assert.match(text, /## Goal\n\n- Please look at the lens, too\n- Task T1: Mend the light\. It is out\.\n/u);
  assert.match(
    text,
    /by the user\n- \[4\] "mira: Decision: keep the lamp\."\n- \[3\] "Do not touch the tower"\n/u,
  );
  assert.doesNotMatch(
    text,
    /are awake|Tasks are read|never fetch|Go on with your task|I paint it|check failed|is red|pin the lens/u,
  );
  assert.match(text, /src\/errors\.ts: edited once/u);
  assert.doesNotMatch(text, /others\.md/u);
});

it("Its next step is one that an agent can do alone", () => {
  for (const lastReply of ["All is done for now.", "Shall I paint it?"]) {
    const text = textOf({ lastReply });
    assert.match(text, /## Next step\n\n.*block the task\./u);
    assert.doesNotMatch(text, /[Aa]sk the user/u);
  }
});

it("A secret in a task or in a decision about it is not in the document", () => {
  const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const comments = [comment("a", "mira", `Decision: sign with ${key}.`)];
  const task = { ...thread.thread.task, description: `Call it with ${key}.` };
  const { objective, decisions } = unattendedWorkOf({ ...thread, thread: { task, comments } }, []);
  const packet = unattendedPacket(before, { objective, decisions, beginnings: [] });
  assert.doesNotMatch(JSON.stringify(packet), /0123456789/u);
  assert.match(JSON.stringify(packet), /mira: Decision: sign with/u);
});
