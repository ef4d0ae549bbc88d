import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import {
  headHandler,
  SeenHeads,
  type SeenHead,
  workBranch,
} from "../../../../src/engine/continuity/host/seen-heads.ts";
import type { NamedBranch } from "../../../../src/engine/continuity/story/story.ts";
import { hookEvent, type HookEventName } from "../../../../src/engine/hooks/event/event.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

const folder = "/home/ann/argo";

function place() {
  const memory = new SessionMemory();
  const git: { head: { branch: string | null; commit: string | null } | null } = {
    head: { branch: "login", commit: null },
  };
  const time = { now: 1_000_000 };
  const heads = new SeenHeads({ memory, headOf: () => git.head });
  const hooks = timelessPipeline((_, message) => assert.fail(message));
  hooks.register(headHandler({ heads, now: () => time.now }));
  const hook = async (name: HookEventName, more: object = {}) => {
    const event = hookEvent.parse({ hook_event_name: name, session_id: "s", cwd: folder, ...more });
    await hooks.answer(event, "gemini");
  };
  return { memory, git, time, heads, hook };
}

test("a session's branch is the one that was checked out at its last prompt, call or end of a turn", async () => {
  const { git, heads, hook, time } = place();
  assert.equal(heads.of("s"), null);
  await hook("UserPromptSubmit", { prompt: "Look." });
  assert.equal(heads.of("s")?.branch, "login");
  git.head = { branch: "quay", commit: null };
  await hook("PostToolUse", { tool_name: "Bash" });
  assert.equal(heads.of("s")?.branch, "quay");
  git.head = { branch: "main", commit: null };
  await hook("PostToolUse", { tool_name: "Bash", agent_id: "a1" });
  await hook("SessionEnd");
  await hook("SessionStart", { source: "resume" });
  await hook("Stop", { cwd: "argo" });
  assert.equal(heads.of("s")?.branch, "quay", "a subagent, an end and a beginning tell nothing");
  git.head = { branch: null, commit: "1".repeat(40) };
  await hook("Stop");
  assert.deepEqual(heads.of("s"), { folder, branch: null, commit: "1".repeat(40), at: time.now });
  git.head = null;
  await hook("Stop");
  assert.equal(heads.of("s")?.commit, "1".repeat(40), "nothing is known to have changed");
});

test("seen branches outlive the service, are written at most once a minute, and exclude long names", async () => {
  const { memory, git, heads, hook, time } = place();
  const changes: string[] = [];
  memory.onChange((session) => changes.push(session));
  for (const after of [0, 10_000, 20_000, 65_000]) {
    time.now = 1_000_000 + after;
    await hook("Stop");
  }
  assert.deepEqual([changes.length, heads.of("s")?.at], [2, 1_065_000]);
  // The clock was set back.
  time.now = 500_000;
  await hook("Stop");
  assert.equal(heads.of("s")?.at, 500_000);
  git.head = { branch: "x".repeat(1001), commit: null };
  await hook("Stop");
  assert.equal(heads.of("s")?.branch, "login");
  const next = place();
  assert.deepEqual(next.memory.load("s", memory.dump("s") ?? {}), []);
  assert.equal(next.heads.of("s")?.branch, "login");
});

test("a transcript with the branch in every row has precedence, any other one only if newer", () => {
  const seen = { folder, branch: "quay", commit: null, at: 2000 };
  const named = (name: string | null, since: number | null) => ({ name, since });
  const of = (one: NamedBranch | null, other: SeenHead | null, isExact = false) =>
    workBranch(one, other, { isExact })?.branch;
  assert.equal(of(named("main", 1000), seen), "quay");
  assert.equal(of(named("main", 3000), seen), "main");
  assert.equal(of(named("main", null), seen), "quay");
  assert.equal(of(named("main", 1000), seen, true), "main");
  assert.equal(of(null, seen, true), "quay");
  assert.equal(of(named("main", 1000), null), "main");
  assert.equal(of(named(null, 1000), null), null);
  assert.equal(of(null, null), undefined);
  const detached = { ...seen, branch: null, commit: "1".repeat(40) };
  assert.deepEqual(workBranch(named(null, 1000), detached, { isExact: true }), {
    branch: null,
    commit: "1".repeat(40),
  });
});
