import type { AgentAdapter } from "../adapter.ts";
import { claudeRoots } from "./claude-roots.ts";

export const claudeCode = {
  name: "claude-code",
  displayName: "Claude Code",
  icon: "sparkle",
  resume: (id) => `claude --resume ${id}`,
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  roots: claudeRoots,
  usageReader: null,
  tellsBranch: true,
  history: async () => (await import("./past/history.ts")).history,
  findCallsInContext: async () => (await import("./in-context/in-transcript.ts")).findCallsInContext,
  rowNames: async () => (await import("./rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;
