import type { AgentAdapter } from "../adapter.ts";
import { chatRoots } from "./vscode-chat-roots.ts";

export const vscodeChat = {
  name: "vscode-chat",
  displayName: "VS Code Chat",
  icon: "comment-discussion",
  resume: null,
  sessionVariable: null,
  roots: chatRoots,
  usageReader: async () => (await import("./usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: null,
  findCallsInContext: null,
  rowNames: null,
  liveReader: async () => (await import("./live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;
