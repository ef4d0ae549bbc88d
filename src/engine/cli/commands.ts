import type { Command } from "./cli-host.ts";

export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** A command's code is loaded only when it is asked for: every start pays for what is loaded. */
  readonly load: () => Promise<Command>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  status: {
    summary: "how full the context of every live session is, and when it will be compacted",
    load: async () => (await import("./status-command.ts")).statusCommand,
  },
  service: {
    summary: "the process that reads for all windows and terminals: how it is, stop, restart, its log",
    load: async () => (await import("./service-command.ts")).serviceCommand,
  },
  ledger: {
    summary: "everything purser remembers: how it is, check, compact, export, backup, restore",
    load: async () => (await import("./ledger-command.ts")).ledgerCommand,
  },
  usage: {
    summary: "tokens and cost of past sessions, by day, session, project, model, agent, tool and more",
    load: async () => (await import("./usage-command.ts")).usageCommand,
  },
};
