import type { AgentAdapter } from "../adapter.ts";
import { copilotRoots } from "./copilot-roots.ts";

export const copilot = {
  name: "copilot",
  displayName: "Copilot CLI",
  icon: "copilot",
  resume: (id) => `copilot --resume=${id}`,
  sessionVariable: "COPILOT_AGENT_SESSION_ID",
  roots: copilotRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: async () => (await import("./past/history.ts")).history,
  findCallsInContext: null,
  rowNames: async () => (await import("./rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;
