import { eventsFor } from "./install/settings/wanted-hooks.ts";
import { isHonoured, permissionsOf } from "./event/write-answer.ts";
import type { HookCaller } from "./program.ts";

/** Abilities of hooks, each only where an agent allows it. */
export const abilities = [
  "warnings",
  "prompt_limits",
  "tool_limits",
  "turn_limits",
  "stop_gate",
  "notices",
  "questions",
  "compactions",
  "kept_facts",
  "lost_facts",
  "subagents",
] as const;
export type Ability = (typeof abilities)[number];

/** Returns what purser's hooks can do with a program, as far as that was seen or is documented. */
export function abilitiesOf(caller: HookCaller): Ability[] {
  // VS Code runs Copilot CLI's hooks.
  const events = eventsFor(caller === "vscode" ? "copilot" : caller);
  const can: Readonly<Record<Ability, boolean>> = {
    warnings: isHonoured("context", "PostToolUse", caller),
    prompt_limits: isHonoured("block", "UserPromptSubmit", caller),
    tool_limits: isHonoured("permission", "PreToolUse", caller),
    turn_limits: isHonoured("stop", "PostToolUse", caller),
    stop_gate: isHonoured("block", "Stop", caller),
    notices: isHonoured("notice", "UserPromptSubmit", caller),
    questions: permissionsOf(caller).includes("ask"),
    compactions: events.includes("PostCompact"),
    kept_facts: isHonoured("context", "PreCompact", caller),
    // VS Code's chat does not store the text of its summaries.
    lost_facts: caller !== "vscode" && isHonoured("context", "PostToolUse", caller),
    subagents: events.includes("SubagentStart"),
  };
  return abilities.filter((ability) => can[ability]);
}
