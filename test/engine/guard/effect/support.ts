import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { EffectWatch } from "../../../../src/engine/guard/effect/watch-effect.ts";
import { type GuardOutcomeEntry, hitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import type { GuardFamily } from "../../../../src/engine/settings/guard.ts";

type Deed = "observed" | "advised" | "repeated" | "asked" | "denied";

export interface Tool {
  readonly tool_name: string;
  readonly tool_input: unknown;
}
export const run = (command: string): Tool => ({ tool_name: "Bash", tool_input: { command } });
export const read = (file: string): Tool => ({ tool_name: "Read", tool_input: { file_path: file } });
export const edit = (file: string, text = "x"): Tool => ({
  tool_name: "Edit",
  tool_input: { file_path: file, old_string: "", new_string: text },
});

export interface Fire {
  readonly rule?: string;
  readonly family: GuardFamily;
  readonly done: Deed;
}

/** Plays an agent's calls into a watch, as hooks report them. */
export function played({ memory = new SessionMemory(), isOn = true } = {}) {
  const recorded: GuardOutcomeEntry[] = [];
  const watch = new EffectWatch({
    memory,
    isOn: () => isOn,
    record: (entries) => recorded.push(...entries),
    now: () => 1000,
  });
  /** Calls of one session; those of its subagents where an agent is named. */
  const agent = (session = "s", agentId?: string, hasIds = true) => {
    let calls = 0;
    const head = { session_id: session, agent_id: agentId, cwd: "/shop" };
    const use = () => (hasIds ? { tool_use_id: `${session} ${agentId ?? ""} ${calls}` } : {});
    const begin = (tool: Tool, ...fires: readonly Fire[]) => {
      calls += 1;
      const call = { ...head, ...tool, ...use() };
      watch.handler.answer({ hook_event_name: "PreToolUse", ...call });
      tell(call, fires);
      return call;
    };
    const end = (call: ReturnType<typeof begin>, isGood = true, ...fires: readonly Fire[]) => {
      if (isGood)
        watch.handler.answer({ hook_event_name: "PostToolUse", ...call, tool_response: { stdout: "" } });
      else watch.handler.answer({ hook_event_name: "PostToolUseFailure", ...call, error: "no" });
      tell(call, fires);
    };
    const tell = (call: typeof head & Partial<Tool>, fires: readonly Fire[]) => {
      watch.note(
        fires.map(({ rule = "a-rule", family, done }) =>
          hitEntry(call, {
            rule,
            family,
            done,
            action: done === "asked" ? "ask" : "advise",
            excerpt: "",
            program: "claude-code",
            at: calls,
          }),
        ),
      );
    };
    return {
      begin,
      end,
      /** A call that runs and succeeds, on which rules fire before it. */
      does: (tool: Tool, ...fires: readonly Fire[]) => {
        end(begin(tool, ...fires));
      },
      fails: (tool: Tool, ...fires: readonly Fire[]) => {
        end(begin(tool, ...fires), false);
      },
      /** A call that does not run. */
      isKept: (tool: Tool, ...fires: readonly Fire[]) => {
        begin(tool, ...fires);
      },
      stops: (...fires: readonly Fire[]) => {
        const name = agentId === undefined ? "Stop" : "SubagentStop";
        watch.handler.answer({ hook_event_name: name, ...head });
        tell(head, fires);
      },
      prompts: () => {
        watch.handler.answer({ hook_event_name: "UserPromptSubmit", ...head, prompt: "go on" });
      },
      leaves: () => {
        watch.handler.answer({ hook_event_name: "SessionEnd", ...head });
      },
    };
  };
  return { agent, recorded, outcomes: () => recorded.map(({ rule, outcome }) => `${rule} ${outcome}`) };
}
