import type { AgentAdapter } from "../adapter.ts";
import { claudeRoots } from "./roots.ts";

export const claudeCode = {
  name: "claude-code",
  displayName: "Claude Code",
  roots: claudeRoots,
  usageReader: null,
} as const satisfies AgentAdapter;
