import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import fc from "fast-check";
import { hookEvent, readHook, type HookEvent } from "../../../src/engine/hooks/event/event.ts";
import type { HookAnswer } from "../../../src/engine/hooks/event/hooks-answer.ts";
import { defaultHookContext, RepeatedProblems } from "../../../src/engine/hooks/hooks-handler.ts";
import { HookPipeline } from "../../../src/engine/hooks/pipeline.ts";

/** A pipeline with a clock that only the test moves. */
function pipeline() {
  const problems: string[] = [];
  let elapsed = 0;
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();
  const timer = {
    elapsed: () => elapsed,
    after: (span: number, run: () => void) => {
      const entry = { at: elapsed + span, run };
      waiting.add(entry);
      return { dispose: () => void waiting.delete(entry) };
    },
  };
  const pass = (span: number) => {
    elapsed += span;
    for (const entry of waiting) if (entry.at <= elapsed && waiting.delete(entry)) entry.run();
  };
  const hooks = new HookPipeline({ add: (_, message) => void problems.push(message) }, timer);
  return { problems, hooks, pass };
}

function event(name: string, more: object = {}): HookEvent {
  return hookEvent.parse({ hook_event_name: name, session_id: "s", ...more });
}

const says = (name: string, answer: () => HookAnswer | null | Promise<HookAnswer | null>) => ({
  name,
  answer,
  budget: 50,
  events: ["PreToolUse", "PostToolBatch"] as const,
});

describe("the hook pipeline", () => {
  it("is empty without an answer", async () => {
    const { hooks } = pipeline();
    const answered = await hooks.answer(event("Stop"), "claude-code");
    assert.deepEqual(answered, { text: "", outcome: "none", handlers: [], rule: null, injected: 0 });
  });

  it("lets a handler start work once all have answered", async () => {
    const { hooks } = pipeline();
    const order: string[] = [];
    hooks.register({
      ...says("a", () => null),
      answer: (_, { answered } = defaultHookContext) => {
        void answered.then(() => order.push("work"));
        return null;
      },
    });
    hooks.register(
      says("b", async () => {
        await settled();
        order.push("answer");
        return null;
      }),
    );
    await hooks.answer(event("PreToolUse"), "claude-code");
    assert.deepEqual(order, ["answer", "work"]);
  });

  it("returns its handlers' answers in the agent's format", async () => {
    const { hooks } = pipeline();
    hooks.register(says("a", () => ({ context: "one", rule: "WRAP_UP" })));
    const last = hooks.register(says("b", () => Promise.resolve({ context: "two" })));
    hooks.register(says("c", () => null));
    const answered = await hooks.answer(event("PostToolBatch"), "claude-code");
    assert.deepEqual(JSON.parse(answered.text), {
      hookSpecificOutput: { hookEventName: "PostToolBatch", additionalContext: "one\ntwo" },
    });
    assert.deepEqual(
      { ...answered, text: "" },
      {
        text: "",
        outcome: "advise",
        handlers: ["a", "b"],
        rule: "WRAP_UP",
        injected: 7,
      },
    );
    last.dispose();
    assert.equal((await hooks.answer(event("PreToolUse"), "claude-code")).injected, 3);
  });

  it("passes a prompt that the agent wrote itself only to handlers that request it", async () => {
    const { hooks } = pipeline();
    const asked: string[] = [];
    const handler = (name: string, more: { hearsNotifications?: boolean } = {}) =>
      hooks.register({
        name,
        events: ["UserPromptSubmit", "Stop"],
        budget: 50,
        ...more,
        answer: ({ hook_event_name }) => {
          asked.push(`${name} ${hook_event_name}`);
          return null;
        },
      });
    handler("persons");
    handler("all", { hearsNotifications: true });
    const prompt = "<task-notification>\nThe helper is done.</task-notification>";
    await hooks.answer(event("UserPromptSubmit", { prompt }), "claude-code");
    await hooks.answer(event("UserPromptSubmit", { prompt: "Go on." }), "claude-code");
    await hooks.answer(event("Stop"), "claude-code");
    assert.deepEqual(asked, [
      "all UserPromptSubmit",
      "persons UserPromptSubmit",
      "all UserPromptSubmit",
      "persons Stop",
      "all Stop",
    ]);
  });

  it("uses the strictest decision, in each agent's own terms", async () => {
    const { hooks } = pipeline();
    hooks.register(says("a", () => ({ permission: { decision: "allow", reason: "yes" } })));
    hooks.register(says("b", () => ({ permission: { decision: "deny", reason: "no" } })));
    const claude = await hooks.answer(event("PreToolUse"), "claude-code");
    assert.equal(claude.outcome, "deny");
    assert.deepEqual(JSON.parse(claude.text), {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no",
      },
    });
    const codex = await hooks.answer(event("PreToolUse"), "codex");
    assert.deepEqual(JSON.parse(codex.text), { decision: "block", reason: "no" });
    const elsewhere = await hooks.answer(event("PostToolBatch"), "claude-code");
    assert.deepEqual([elsewhere.text, elsewhere.outcome], ["", "none"]);
  });

  it("is unharmed by a handler that throws, rejects, is late or never answers", async () => {
    const { hooks, problems, pass } = pipeline();
    let failLate = (): void => assert.fail();
    hooks.register(
      says("throws", () => {
        throw new Error("a bug");
      }),
    );
    hooks.register(says("rejects", () => Promise.reject(new Error("another"))));
    const passLater = () => void setImmediate(() => pass(50));
    hooks.register(
      says("hangs", () => {
        passLater();
        return new Promise(() => undefined);
      }),
    );
    hooks.register(
      says("fails late", () => {
        passLater();
        return new Promise((_, reject) => {
          failLate = () => reject(new Error("when nobody listens"));
        });
      }),
    );
    hooks.register(says("well", () => ({ context: "still here" })));
    const answered = await hooks.answer(event("PreToolUse"), "claude-code");
    assert.deepEqual(answered.handlers, ["well"]);
    assert.equal(answered.outcome, "advise");
    failLate();
    await settled();
    assert.deepEqual(problems, [
      "The hook handler throws failed: Error: a bug",
      "The hook handler rejects failed: Error: another",
      "The hook handler hangs took more than 50 ms",
      "The hook handler fails late took more than 50 ms",
      "The hook handler fails late failed: Error: when nobody listens",
    ]);
  });

  it("sends an answer given at once, however long that took: the handler may have recorded it as sent", async () => {
    const { hooks, problems, pass } = pipeline();
    hooks.register(
      says("slow", () => {
        pass(60);
        return { context: "worth it" };
      }),
    );
    const answered = await hooks.answer(event("PostToolBatch"), "claude-code");
    assert.deepEqual([answered.handlers, answered.outcome], [["slow"], "advise"]);
    assert.deepEqual(problems, ["The hook handler slow took more than 50 ms"]);
  });

  it("waits longer for a handler that is patient, while the time of the event lasts", async () => {
    const { hooks, problems, pass } = pipeline();
    const later = (name: string, span: number, patience?: number) =>
      hooks.register({
        ...says(
          name,
          () =>
            new Promise((resolve) => {
              setImmediate(() => {
                pass(span);
                resolve({ context: name });
              });
            }),
        ),
        ...(patience === undefined ? {} : { patience }),
      });
    later("loads", 2000, 2500);
    later("loads too", 940, 2500);
    later("comes after", 40);
    later("is too late", 40);
    const answered = await hooks.answer(event("PreToolUse"), "claude-code");
    assert.deepEqual(answered.handlers, ["loads", "loads too", "comes after"]);
    assert.deepEqual(problems, ["The hook handler is too late took more than 20 ms"]);
  });

  it("calls a handler's fallback after a failure or a late answer", async () => {
    const { hooks, pass } = pipeline();
    const missed: string[] = [];
    const add = (name: string, answer: () => Promise<HookAnswer | null>) =>
      hooks.register({
        ...says(name, answer),
        missed: ({ hook_event_name: event }) => {
          missed.push(`${name} ${event}`);
          return name === "hangs" ? { permission: { decision: "ask", reason: "It was late." } } : null;
        },
      });
    add("rejects", () => Promise.reject(new Error("a bug")));
    add("hangs", () => {
      setImmediate(() => pass(50));
      return new Promise(() => undefined);
    });
    add("answers", () => Promise.resolve(null));
    const { text, outcome } = await hooks.answer(event("PreToolUse"), "claude-code");
    assert.match(text, /"permissionDecision":"ask","permissionDecisionReason":"It was late\."/u);
    assert.equal(outcome, "ask");
    assert.deepEqual(missed, ["rejects PreToolUse", "hangs PreToolUse"]);
  });

  it("reports a failed handler briefly if no other answered", async () => {
    const { hooks } = pipeline();
    hooks.register(says("rejects", () => Promise.reject(new Error("another"))));
    assert.equal((await hooks.answer(event("PreToolUse"), "claude-code")).outcome, "failed");
  });

  it("takes no handler that could make an event wait for too long", () => {
    const { hooks } = pipeline();
    const slow = (name: string, budget: number) =>
      hooks.register({ ...says(name, () => null), events: ["SessionEnd"], budget });
    slow("a", 300);
    assert.throws(() => slow("b", 300), /handlers of SessionEnd may take 600 ms/u);
    slow("c", 200);
  });

  it("does not inject more than the agent takes", async () => {
    const { hooks } = pipeline();
    hooks.register(says("long", () => ({ context: "🚢".repeat(6000) })));
    const { injected, text } = await hooks.answer(event("PreToolUse"), "claude-code");
    assert.equal(injected, 10_000);
    assert.doesNotMatch(text, /\\ud83d/u);
  });
});

describe("input of a hook", () => {
  it("is read whatever its members are", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
        const read = readHook({ ...more, hook_event_name: "PreToolUse", session_id: "s" });
        assert.equal(read?.event?.hook_event_name, "PreToolUse");
      }),
      { numRuns: 200 },
    );
    const read = event("PreToolUse", { tool_name: 5, agent_id: {}, cwd: null, unknown: 1 });
    const reported = Object.entries(read).filter(([, value]) => value !== undefined);
    assert.deepEqual(Object.fromEntries(reported), { hook_event_name: "PreToolUse", session_id: "s" });
  });

  it("may be an unknown event, or none", () => {
    const read = readHook({ hook_event_name: "PostLunch", session_id: "s" });
    assert.deepEqual([read?.head.hook_event_name, read?.event], ["PostLunch", null]);
    for (const value of [null, 1, "", [], {}, { hook_event_name: "Stop" }, { session_id: "s" }])
      assert.equal(readHook(value), null);
  });
});

it("reports the same problem once a minute, with its count", () => {
  const reported: string[] = [];
  let now = 0;
  const problems = new RepeatedProblems(
    (message) => void reported.push(message),
    () => now,
  );
  for (let count = 0; count < 5; count += 1) problems.add("a", "a fails");
  problems.add("b", "b fails");
  now = 61_000;
  problems.add("a", "a fails");
  assert.deepEqual(reported, ["a fails", "b fails", "a fails (and 4 times before)"]);
  // A clock that is set back.
  now = -86_400_000;
  problems.add("a", "a fails");
  assert.equal(reported.length, 4);
});
