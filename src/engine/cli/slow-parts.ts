import type { Command, CommandEntry } from "./declaration.ts";

/**
 * Parts that a quick answer does not need. They are a separate bundle (`esbuild.mjs`), because every start of
 * a program pays for all code in its file, even unused. Each part is loaded only on demand.
 */
export const slowParts = {
  status: async (): Promise<Command> => (await import("./sessions/command.ts")).statusCommand,
  doctor: async (): Promise<Command> => (await import("./doctor/command.ts")).doctorCommand,
  session: async (): Promise<Command> => (await import("./sessions/show-command.ts")).sessionCommand,
  handover: async (): Promise<Command> => (await import("./handover/command.ts")).handoverCommand,
  service: async (): Promise<Command> => (await import("./service/command.ts")).serviceCommand,
  ledger: async (): Promise<Command> => (await import("./ledger/command.ts")).ledgerCommand,
  budget: async (): Promise<Command> => (await import("./budgets/command.ts")).budgetCommand,
  hooks: async (): Promise<Command> => (await import("./hooks/command.ts")).hooksCommand,
  guard: async (): Promise<Command> => (await import("./guard/command.ts")).guardCommand,
  learn: async (): Promise<Command> => (await import("./learn/command.ts")).learnCommand,
  instructions: async (): Promise<Command> => (await import("./instructions/command.ts")).instructionsCommand,
  output: async (): Promise<Command> => (await import("./guard/kept-command.ts")).keptOutputsCommand,
  rules: async (): Promise<Command> => (await import("./rules/command.ts")).rulesCommand,
  trial: async (): Promise<Command> => (await import("./rules/trial-command.ts")).trialCommand,
  memory: async (): Promise<Command> => (await import("./rules/memory-command.ts")).memoryCommand,
  report: async (): Promise<Command> => (await import("./report/command.ts")).reportCommand,
  economy: async (): Promise<Command> => (await import("./economy/command.ts")).economyCommand,
  completion: async (commands: Readonly<Record<string, CommandEntry>>): Promise<Command> =>
    (await import("./completion/command.ts")).completionCommand(commands),
  help: async () => (await import("./guide/help-on.ts")).helpOn,
  usageInFiles: async () => (await import("./usage/by-file.ts")).usageInFiles,
  withoutLedger: async () => (await import("./usage/without-ledger.ts")).withoutLedger,
  usageOnDisk: async () => (await import("./usage/on-disk.ts")).usageOnDisk,
  askThoroughly: async () => (await import("./usage/thorough.ts")).askThoroughly,
};
