import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { companionAgents } from "../../../src/extension/budgets/companions.ts";
import { convoy, project } from "../support/budgets.ts";

const now = Date.UTC(2026, 10, 2, 12);
const minutes = 60_000;
const [known] = [project([convoy([], "review")])];

type Session = Parameters<typeof companionAgents>[0][number];

const session = (id: string, more: Partial<Session> = {}): Session => ({
  id,
  live: true,
  folder: known.folder,
  branch: "fleet",
  lastActivity: now - minutes,
  subagents: [],
  ...more,
});
const subagents = (...running: boolean[]) => running.map((each) => ({ running: each }));
const found = (sessions: readonly Session[], projects = [known]) =>
  companionAgents(sessions, projects, now).map(
    ({ branch, sessionIds, count }) => `${String(branch)}: ${sessionIds.join(" ")} ${count}`,
  );

describe("agents at work together", () => {
  it("finds two sessions on a branch, or one with two running subagents", () => {
    assert.deepEqual(found([session("a")]), []);
    assert.deepEqual(found([session("a"), session("b")]), ["fleet: a b 2"]);
    assert.deepEqual(found([session("a", { subagents: subagents(true) })]), []);
    assert.deepEqual(found([session("a", { subagents: subagents(true, false, false) })]), []);
    assert.deepEqual(found([session("a", { subagents: subagents(true, true) })]), ["fleet: a 3"]);
  });

  it("finds agents on one branch, or outside any branch", () => {
    assert.deepEqual(found([session("a"), session("b", { branch: "main" })]), []);
    assert.deepEqual(found([session("a"), session("b", { branch: null })]), []);
    assert.deepEqual(found(["a", "b"].map((id) => session(id, { branch: null }))), ["null: a b 2"]);
  });

  it("counts agents of one project, which may have several folders in the window", () => {
    const below = `${known.folder}/packages/keel`;
    const both = [session("a"), session("b", { folder: below })];
    assert.deepEqual(found(both), []);
    assert.deepEqual(found(both, [known, { ...known, folder: below }]), ["fleet: a b 2"]);
    assert.deepEqual(found(both, [known, { ...known, folder: below, project: below }]), []);
  });

  it("ignores agents that are idle, gone, or elsewhere", () => {
    const idle = { lastActivity: now - 11 * minutes };
    assert.deepEqual(found([session("a"), session("b", idle)]), []);
    assert.deepEqual(found([session("a"), session("b", { lastActivity: null })]), []);
    assert.deepEqual(found([session("a"), session("b", { live: false })]), []);
    assert.deepEqual(found([session("a"), session("b", { folder: null })]), []);
  });

  it("finds nothing while budgets are off or unknown", () => {
    assert.deepEqual(found([session("a"), session("b")], [{ ...known, mode: "off" }]), []);
    assert.deepEqual(found([session("a"), session("b")], []), []);
  });

  it("reports each place once with its budgets, in any order of sessions", () => {
    const one = fc.record({
      branch: fc.constantFrom("fleet", "main", null),
      live: fc.boolean(),
      subagents: fc.array(fc.record({ running: fc.boolean() }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), (all) => {
        const sessions = all.map((each, index) => session(`s-${index}`, each));
        const companions = companionAgents(sessions, [known], now);
        assert.equal(new Set(companions.map(({ branch }) => branch)).size, companions.length);
        for (const { branch, count, sessionIds, convoyIds, folder } of companions) {
          const there = sessions.filter((each) => each.live && each.branch === branch);
          const running = there.flatMap((each) => each.subagents.filter((helper) => helper.running));
          assert.equal(count, there.length + running.length);
          assert.equal(sessionIds.length, there.length);
          assert.deepEqual([convoyIds, folder], [["review"], known.folder]);
        }
        assert.deepEqual(found(sessions.toReversed()).length, companions.length);
      }),
    );
  });
});
