import { AgentDisplayNames } from "../base/local-format.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claudeRoots } from "./claude/claude-roots.ts";
import { codexRoots, copilotRoots, geminiRoots, type HomeInput } from "./home-folder.ts";
import { chatRoots } from "./vscode-chat/vscode-chat-roots.ts";

export type { AgentAdapter } from "./adapter.ts";
export { editorFactsFile } from "./vscode-chat/vscode-chat-roots.ts";
export type { EditorFacts } from "./vscode-chat/working-folders.ts";

const claudeCode = {
  name: "claude-code",
  displayName: "Claude Code",
  icon: "sparkle",
  resume: (id) => `claude --resume ${id}`,
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  roots: claudeRoots,
  usageReader: null,
  tellsBranch: true,
  history: async () => (await import("./claude/past/history.ts")).history,
  findCallsInContext: async () => (await import("./claude/in-context/in-transcript.ts")).findCallsInContext,
  rowNames: async () => (await import("./claude/rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./claude/live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;

const codex = {
  name: "codex",
  displayName: "Codex",
  icon: "terminal",
  resume: (id) => `codex resume ${id}`,
  sessionVariable: "CODEX_SESSION_ID",
  roots: codexRoots,
  usageReader: async () => (await import("./codex/usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: async () => (await import("./codex/past/history.ts")).history,
  findCallsInContext: null,
  rowNames: async () => (await import("./codex/rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./codex/live/reader.ts")).liveReader,
} as const satisfies AgentAdapter;

const copilot = {
  name: "copilot",
  displayName: "Copilot CLI",
  icon: "copilot",
  resume: (id) => `copilot --resume=${id}`,
  sessionVariable: "COPILOT_AGENT_SESSION_ID",
  roots: copilotRoots,
  usageReader: async () => (await import("./copilot/usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: async () => (await import("./copilot/past/history.ts")).history,
  findCallsInContext: null,
  rowNames: async () => (await import("./copilot/rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./copilot/live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;

const gemini = {
  name: "gemini",
  displayName: "Gemini CLI",
  icon: "star-full",
  resume: (id) => `gemini --resume ${id}`,
  sessionVariable: "GEMINI_SESSION_ID",
  roots: geminiRoots,
  usageReader: async () => (await import("./gemini/usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: async () => (await import("./gemini/past/history.ts")).history,
  findCallsInContext: null,
  rowNames: async () => (await import("./gemini/rows/naming.ts")).rowNames,
  liveReader: async () => (await import("./gemini/live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;

const vscodeChat = {
  name: "vscode-chat",
  displayName: "VS Code Chat",
  icon: "comment-discussion",
  resume: null,
  sessionVariable: null,
  roots: chatRoots,
  usageReader: async () => (await import("./vscode-chat/usage-reader.ts")).usageReader,
  tellsBranch: false,
  history: null,
  findCallsInContext: null,
  rowNames: null,
  liveReader: async () => (await import("./vscode-chat/live-reader.ts")).liveReader,
} as const satisfies AgentAdapter;

export const agents = [
  claudeCode,
  codex,
  copilot,
  gemini,
  vscodeChat,
] as const satisfies readonly AgentAdapter[];

export type AgentName = (typeof agents)[number]["name"];

export function agentOf(name: AgentName): AgentAdapter {
  const found = agents.find((agent) => agent.name === name);
  if (found === undefined) throw new Error(`There is no agent ${JSON.stringify(name)}`);
  return found;
}

export const allAgentNames = agents.map(({ name }) => name);

/** Marked as pure, so that bundles that show no names leave them out. */
export const agentNames = /* @__PURE__ */ new AgentDisplayNames(agents);

/** A folder with an agent's sessions. It need not exist. */
export interface SessionRoot {
  readonly agent: AgentName;
  readonly path: string;
}

/**
 * Whether the ledger follows a root that only an editor's window knows: the editor's own chats, whose folder no
 * variable names. The window's variables for other agents apply to that window only.
 */
export function isRootOfEditor({ agent }: SessionRoot): boolean {
  return agent === vscodeChat.name;
}

/** The folders with sessions that are followed live. */
export function sessionRoots(input: HomeInput): SessionRoot[] {
  return agents.flatMap(({ name, roots }) => roots(input).map((path) => ({ agent: name, path })));
}

/** Every folder in which an agent may keep sessions. They need not exist. */
export function agentRoots(input: HomeInput): string[] {
  return agents.flatMap(({ roots }) => roots(input));
}

/** Returns the session whose agent started this program, from the agent's own variable; null where none is set. */
export function ownSession(
  env: Readonly<Record<string, string | undefined>>,
): { readonly agent: AgentName; readonly id: string } | null {
  for (const { name, sessionVariable } of agents) {
    const id = sessionVariable === null ? "" : (env[sessionVariable] ?? "");
    if (id !== "") return { agent: name, id };
  }
  return null;
}
