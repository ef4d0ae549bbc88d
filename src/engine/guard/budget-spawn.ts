import * as z from "zod";
import type { EventNamed } from "./hook-event.ts";

/** The tool that begins a subagent; older versions of Claude Code call it Task. */
const spawning: readonly (string | undefined)[] = ["Agent", "Task"];

const input = z.object({ subagent_type: z.string().min(1).max(200).optional().catch(undefined) });

/** What the agent begins that no type was told for. */
const usualType = "general-purpose";

/** The type of the subagent that a tool's use would begin; null where it begins none. */
export function spawnedAgent({ tool_name, tool_input }: EventNamed<"PreToolUse">): string | null {
  if (!spawning.includes(tool_name)) return null;
  return input.safeParse(tool_input).data?.subagent_type ?? usualType;
}
