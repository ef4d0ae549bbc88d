import { assert } from "../../support/assert-texts.ts";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import type { RecurringAgent } from "../../../../src/engine/recurring/agents/definition.ts";
import { runWake } from "../../../../src/engine/recurring/wake/run-recurring-wake.ts";
import { recurringAgent } from "./support/agent.ts";
import { World } from "./support/world.ts";

const desks = path.join(tmpdir(), `purser-played-${process.pid}`);
beforeEach(() => rmSync(desks, { recursive: true, force: true }));
after(() => rmSync(desks, { recursive: true, force: true }));

/** An agent in a session that has read its task's description and two comments. */
async function begin() {
  const world = new World(["keeper"]);
  const [task] = world.tasks;
  assert.ok(task !== undefined);
  world.tasks[0] = { ...task, description: "The light is out." };
  world.comments.push(
    { id: "c1", author: "mira", at: 1, text: "Dark since Monday." },
    { id: "c2", author: "keeper", at: 2, text: "The wick is wet." },
  );
  const agent = recurringAgent("keeper", "");
  const wake = async (ending: Parameters<World["portsFor"]>[1], changes: Partial<RecurringAgent> = {}) => {
    world.now += 60_000;
    const ports = world.portsFor(world.begin(Infinity), ending, null, () => Promise.resolve());
    const asked = { taskId: null, source: "manual", slot: null, isForced: false, by: "terminal" } as const;
    const request = {
      agent: { ...agent, ...changes },
      project: "/project",
      place: world.placeOf("keeper"),
      ...asked,
    };
    const from = world.started.length;
    const { signal } = new AbortController();
    const done = await runWake(request, ports, { agree: () => Promise.resolve(true), signal });
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    return { ...done.value, started: world.started.slice(from) };
  };
  const first = await wake("fine");
  return { world, wake, first };
}

describe("a session that does not continue", () => {
  for (const ending of ["gone", "refused", "full"] as const)
    it(`is replaced by a new one with the whole task, if it is ${ending}`, async () => {
      const { wake, first } = await begin();
      const { row, said, started } = await wake(ending);
      assert.deepEqual(
        started.map(({ resumed }) => resumed),
        [first.row.sessionId, null],
      );
      const [refused, begun] = started;
      assert.match(refused?.prompt ?? "", /No new comments\.\n$/u);
      assert.match(begun?.prompt ?? "", /^Tasks are read with /u);
      assert.match(
        begun?.prompt ?? "",
        /The light is out\.[^]*All comments, as [^]*Dark since Monday\.[^]*The wick is wet\.\n$/u,
      );
      assert.deepEqual(
        [row.outcome, row.reason, row.resumeFailed, row.fetchMode],
        ["completed", "invalid_resume", true, "full"],
      );
      assert.match(
        said.map(({ text }) => text).join(),
        /could not be resumed \(.+\); a new one was begun with all of its task/u,
      );
      const next = await wake("fine");
      assert.deepEqual([next.row.reason, next.row.sessionId], ["reused", row.sessionId]);
      assert.match(next.started[0]?.prompt ?? "", /No new comments\.\n$/u);
    });

  it("is kept if its program starts no other session, and is not shown again what it knows", async () => {
    const { wake, first } = await begin();
    const { row, said } = await wake("mute");
    assert.deepEqual([row.outcome, row.resumeFailed, row.sessionId], ["failed", false, null]);
    assert.match(
      said.map(({ text }) => text).join(),
      /could not be resumed, and no new one begun \(API Error: 400/u,
    );
    const next = await wake("fine");
    assert.deepEqual([next.row.reason, next.row.sessionId], ["reused", first.row.sessionId]);
    assert.match(next.started[0]?.prompt ?? "", /did not end well[^]*No new comments\.\n$/u);
    assert.doesNotMatch(next.started[0]?.prompt ?? "", /The light is out/u);
  });

  it("continues after quota, and after an error during its work", async () => {
    const { wake, first } = await begin();
    for (const ending of ["quota", "broken"] as const) {
      const { row, started } = await wake(ending);
      assert.deepEqual([started.length, row.reason, row.resumeFailed], [1, "reused", false]);
    }
    assert.equal((await wake("fine")).row.sessionId, first.row.sessionId);
  });

  it("is replaced at the next wake if it gave no response until its time was over", async () => {
    const { wake } = await begin();
    const hung = await wake("hung");
    const { outcome, turns, resumeFailed } = hung.row;
    assert.deepEqual([outcome, turns, resumeFailed, hung.started.length], ["limit", 0, true, 1]);
    const { row, started } = await wake("fine");
    assert.equal(row.reason, "invalid_resume");
    assert.match(started[0]?.prompt ?? "", /The light is out[^]*Dark since Monday[^]*The wick is wet/u);
    assert.equal((await wake("fine")).row.sessionId, row.sessionId);
  });

  it("is known by the id that its program has, and the next wake shows the whole task", async () => {
    const { wake, first } = await begin();
    const { row, said } = await wake("other");
    assert.notEqual(row.sessionId, first.row.sessionId);
    assert.deepEqual([row.outcome, row.reason, row.resumeFailed], ["completed", "invalid_resume", true]);
    assert.match(said.map(({ text }) => text).join(), /was not continued: its program began session /u);
    const next = await wake("fine");
    assert.deepEqual([next.row.reason, next.row.sessionId], ["reused", row.sessionId]);
    assert.match(next.started[0]?.prompt ?? "", /The light is out[^]*Dark since Monday/u);
  });

  for (const [reason, changes] of [
    ["rotated", { rotation: { turns: 1 } }],
    ["other_model", { model: "claude-opus-4-5" }],
  ] as const)
    it(`starts with the whole task if its work cannot be summed up for the next one (${reason})`, async () => {
      const { wake } = await begin();
      const { row, said, started } = await wake("fine", changes);
      assert.deepEqual([row.reason, row.fetchMode], [reason, "full"]);
      assert.match(said.map(({ text }) => text).join(), /could not be summed up/u);
      assert.match(started[0]?.prompt ?? "", /The light is out[^]*Dark since Monday[^]*The wick is wet/u);
    });

  it("does not report a new session where none began", async () => {
    const { wake } = await begin();
    const { row, said } = await wake("gone_and_quota");
    assert.deepEqual([row.outcome, row.sessionId, row.resumeFailed], ["environment", null, true]);
    assert.match(said.map(({ text }) => text).join(), /could not be resumed, and no new one begun/u);
    const { started } = await wake("fine");
    assert.match(started[0]?.prompt ?? "", /The light is out[^]*Dark since Monday[^]*The wick is wet/u);
  });

  it("is kept where a hook refuses the prompt, and what that said is still new", async () => {
    const { world, wake, first } = await begin();
    world.comments.push({ id: "c3", author: "mira", at: 3, text: "Now it is the lens." });
    const { row, started } = await wake("hooked");
    assert.deepEqual([started.length, row.outcome, row.fetchMode], [1, "environment", "delta"]);
    assert.equal(row.detail, "the prompt was refused: Operation blocked by hook: the budget is used");
    const next = await wake("fine");
    assert.deepEqual([next.row.reason, next.row.sessionId], ["reused", first.row.sessionId]);
    assert.match(next.started[0]?.prompt ?? "", /New comments:[^]*Now it is the lens/u);
  });

  it("starts with the whole task if its files were gone before the wake", async () => {
    const { world, wake } = await begin();
    world.sessions.clear();
    const { row, started } = await wake("fine");
    assert.equal(row.reason, "invalid_resume");
    assert.match(started[0]?.prompt ?? "", /The light is out[^]*Dark since Monday[^]*The wick is wet/u);
  });
});
