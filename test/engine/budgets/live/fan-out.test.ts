import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import type { FanOut } from "../../../../src/engine/budgets/budget.ts";
import { fanOutAnswer } from "../../../../src/engine/budgets/live/fan-out-handler.ts";
import {
  atDone,
  atPrompt,
  atSpawn,
  atStart,
  atStop,
  noFanOut,
  type FanOutState,
} from "../../../../src/engine/budgets/live/fan-out.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { BudgetMode } from "../../../../src/engine/settings/guard.ts";
import { noon } from "../support/ports.ts";

function scene(limits: FanOut | null, mode: BudgetMode = "warn") {
  const answer = fanOutAnswer({
    mode: () => mode,
    limitsOf: () => Promise.resolve(limits === null ? null : { from: "fleet", limits }),
    memory: new SessionMemory(),
    clock: { now: () => noon },
  });
  const common = { session_id: "s1", cwd: "/argo" };
  const by = (agent?: string) => (agent === undefined ? {} : { agent_id: agent, agent_type: "Explore" });
  const spawn = async (use: string, over: { by?: string; model?: string; isAttended?: boolean } = {}) => {
    const { model, isAttended = true } = over;
    const input = { subagent_type: "Explore", prompt: "Look", ...(model === undefined ? {} : { model }) };
    const call = { tool_name: "Agent", tool_use_id: use, tool_input: input };
    const event = { hook_event_name: "PreToolUse", ...common, ...by(over.by), ...call } as const;
    const given = await answer(event, { ...defaultHookContext, isAttended });
    return given?.permission?.decision ?? (given?.context === undefined ? "start" : "told");
  };
  const tell = (name: "UserPromptSubmit" | "SubagentStart" | "SubagentStop", agent?: string) =>
    answer({ hook_event_name: name, ...common, ...by(agent) });
  const done = (use: string) =>
    answer({ hook_event_name: "PostToolUse", ...common, tool_name: "Agent", tool_use_id: use });
  return { spawn, tell, done };
}

describe("limits on subagents", () => {
  it("ask one question for a burst, and let the prompt go on once it is allowed", async () => {
    const { spawn, tell } = scene({ atOnce: 2 });
    assert.deepEqual([await spawn("1"), await spawn("2")], ["start", "start"]);
    const burst = await Promise.all(Array.from({ length: 20 }, (_, index) => spawn(`b${index}`)));
    assert.deepEqual([burst[0], new Set(burst.slice(1))], ["ask", new Set(["deny"])]);
    for (const agent of ["a1", "a2", "a3"]) await tell("SubagentStart", agent);
    const again = await Promise.all(Array.from({ length: 20 }, (_, index) => spawn(`c${index}`)));
    assert.deepEqual(new Set(again), new Set(["start"]));
    await tell("UserPromptSubmit");
    assert.equal(await spawn("d1"), "ask");
  });

  it("take no answer for a yes: what was refused stays refused", async () => {
    const { spawn, tell, done } = scene({ perPrompt: 1 });
    await spawn("1");
    await tell("SubagentStart", "a1");
    assert.deepEqual([await spawn("2"), await spawn("2"), await spawn("3")], ["ask", "ask", "deny"]);
    await done("1");
    assert.equal(await spawn("4"), "deny");
    await done("2");
    assert.equal(await spawn("5"), "start");
  });

  it("know an agent's depth, and free its place when it ends", async () => {
    const nested = scene({ depth: 1 });
    await nested.spawn("1");
    await nested.tell("SubagentStart", "a1");
    assert.deepEqual([await nested.spawn("2"), await nested.spawn("3", { by: "a1" })], ["start", "ask"]);
    const { spawn, tell } = scene({ atOnce: 1 });
    await spawn("1");
    await tell("SubagentStart", "a1");
    await tell("SubagentStop", "a1");
    assert.equal(await spawn("2"), "start");
  });

  it("ask about named models alone", async () => {
    const { spawn } = scene({ models: ["Opus"] });
    assert.deepEqual(
      [
        await spawn("1"),
        await spawn("2", { model: "haiku" }),
        await spawn("3", { model: "claude-opus-5-5" }),
      ],
      ["start", "start", "ask"],
    );
  });

  it("refuse where nobody can answer if budgets are hard, else tell the agent, and do nothing if they are off", async () => {
    const unattended = { isAttended: false };
    for (const [mode, decision] of [
      ["hard", "deny"],
      ["warn", "told"],
      ["off", "start"],
    ] as const) {
      const { spawn } = scene({ perPrompt: 1 }, mode);
      await spawn("1", unattended);
      assert.equal(await spawn("2", unattended), decision);
    }
    assert.equal(await scene(null, "hard").spawn("1"), "start");
  });
});

it("Without a yes no more subagents are let through than the limits say, whatever happens in between", () => {
  const step = fc.record({
    act: fc.constantFrom("spawn", "spawn", "stop", "prompt"),
    nth: fc.nat(9),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, most) => {
      let state: FanOutState = noFanOut;
      let running: string[] = [];
      for (const [index, { act, nth }] of steps.entries()) {
        if (act === "prompt") state = atPrompt(state);
        const stopped = running[nth];
        if (act === "stop" && stopped !== undefined) {
          state = atStop(atDone(state, stopped), stopped);
          running = running.filter((id) => id !== stopped);
        }
        if (act !== "spawn") continue;
        const spawn = { use: `u${index}`, type: "t", by: null, model: null, at: noon };
        const { state: next, verdict } = atSpawn(state, { atOnce: most }, spawn);
        state = next;
        if (verdict.decision !== "start") continue;
        const id = `a${index}`;
        running.push(id);
        state = atStart(state, { id, type: "t", at: noon });
        assert.ok(running.length <= most);
      }
    }),
  );
});
