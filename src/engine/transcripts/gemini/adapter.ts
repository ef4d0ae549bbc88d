import type { AgentAdapter } from "../adapter.ts";
import { geminiRoots } from "./gemini-roots.ts";

export const gemini = {
  name: "gemini",
  displayName: "Gemini CLI",
  icon: "star-full",
  resume: (id) => `gemini --resume ${id}`,
  sessionVariable: "GEMINI_SESSION_ID",
  roots: geminiRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: async () => (await import("./past/history.ts")).history,
  findCallsInContext: null,
  rowNames: async () => (await import("./rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;
