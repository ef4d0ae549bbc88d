import type { AgentAdapter } from "../adapter.ts";
import { codexRoots } from "./codex-roots.ts";

export const codex = {
  name: "codex",
  displayName: "Codex",
  icon: "terminal",
  resume: (id) => `codex resume ${id}`,
  sessionVariable: "CODEX_SESSION_ID",
  roots: codexRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: async () => (await import("./past/history.ts")).history,
  findCallsInContext: null,
  rowNames: async () => (await import("./rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./live/reader.ts")).liveReader,
} as const satisfies AgentAdapter;
