import type { AgentAdapter } from "../adapter.ts";
import { geminiRoots } from "./roots.ts";

export const gemini = {
  name: "gemini",
  displayName: "Gemini CLI",
  roots: geminiRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
} as const satisfies AgentAdapter;
