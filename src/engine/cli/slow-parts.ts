import type { Command } from "./ports.ts";

/**
 * What a quick answer does without. It is a bundle of its own (`esbuild.mjs`): a program's every start pays for all that is in its
 * file, even where it is not run; and each part of it is run only when it is asked for.
 */
export const slowParts = {
  status: async (): Promise<Command> => (await import("./sessions/command.ts")).statusCommand,
  service: async (): Promise<Command> => (await import("./service/command.ts")).serviceCommand,
  ledger: async (): Promise<Command> => (await import("./ledger/command.ts")).ledgerCommand,
  budget: async (): Promise<Command> => (await import("./budgets/command.ts")).budgetCommand,
  hooks: async (): Promise<Command> => (await import("./hooks/command.ts")).hooksCommand,
  rules: async (): Promise<Command> => (await import("./rules/command.ts")).rulesCommand,
  memory: async (): Promise<Command> => (await import("./rules/memory-command.ts")).memoryCommand,
  report: async (): Promise<Command> => (await import("./report/command.ts")).reportCommand,
  usageInFiles: async () => (await import("./usage/by-file.ts")).usageInFiles,
  askThoroughly: async () => (await import("./usage/thorough.ts")).askThoroughly,
};
