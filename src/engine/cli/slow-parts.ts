import type { Command } from "./cli-host.ts";

/**
 * What a quick answer does without. It is a bundle of its own (`esbuild.mjs`): a program's every start pays for all that is in its
 * file, even where it is not run; and each part of it is run only when it is asked for.
 */
export const slowParts = {
  status: async (): Promise<Command> => (await import("./status-command.ts")).statusCommand,
  service: async (): Promise<Command> => (await import("./service-command.ts")).serviceCommand,
  ledger: async (): Promise<Command> => (await import("./ledger-command.ts")).ledgerCommand,
  budget: async (): Promise<Command> => (await import("./budget-command.ts")).budgetCommand,
  hooks: async (): Promise<Command> => (await import("./hooks-command.ts")).hooksCommand,
  rules: async (): Promise<Command> => (await import("./rules-command.ts")).rulesCommand,
  memory: async (): Promise<Command> => (await import("./memory-command.ts")).memoryCommand,
  report: async (): Promise<Command> => (await import("./report-command.ts")).reportCommand,
  usageInFiles: async () => (await import("./file-usage.ts")).usageInFiles,
  askThoroughly: async () => (await import("./thorough-usage.ts")).askThoroughly,
};
