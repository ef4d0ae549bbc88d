import type { AgentAdapter } from "../adapter.ts";
import { copilotRoots } from "./roots.ts";

export const copilot = {
  name: "copilot",
  displayName: "Copilot CLI",
  roots: copilotRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
} as const satisfies AgentAdapter;
