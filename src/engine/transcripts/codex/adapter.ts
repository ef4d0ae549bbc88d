import type { AgentAdapter } from "../adapter.ts";
import { codexRoots } from "./roots.ts";

export const codex = {
  name: "codex",
  displayName: "Codex",
  roots: codexRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
} as const satisfies AgentAdapter;
