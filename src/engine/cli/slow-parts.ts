import type { Command, CommandEntry } from "./declaration.ts";

/** A separate bundle (`esbuild.mjs`): every start pays for all code in its file, even unused. Each part is loaded on demand. */
const slowCommands = {
  status: async () => (await import("./sessions/sessions-command.ts")).statusCommand,
  why: async () => (await import("./why/why-command.ts")).whyCommand,
  doctor: async () => (await import("./doctor/doctor-command.ts")).doctorCommand,
  session: async () => (await import("./sessions/show-command.ts")).sessionCommand,
  handover: async () => (await import("./handover/handover-command.ts")).handoverCommand,
  service: async () => (await import("./service/service-command.ts")).serviceCommand,
  ledger: async () => (await import("./ledger/ledger-command.ts")).ledgerCommand,
  machines: async () => (await import("./machines/machines-command.ts")).machinesCommand,
  budget: async () => (await import("./budgets/budgets-command.ts")).budgetCommand,
  hooks: async () => (await import("./hooks/hooks-command.ts")).hooksCommand,
  guard: async () => (await import("./guard/guard-command.ts")).guardCommand,
  learn: async () => (await import("./learn/learn-command.ts")).learnCommand,
  instructions: async () => (await import("./instructions-command.ts")).instructionsCommand,
  output: async () => (await import("./guard/output-command.ts")).outputCommand,
  rules: async () => (await import("./rules/rules-command.ts")).rulesCommand,
  trial: async () => (await import("./rules/trial-command.ts")).trialCommand,
  memory: async () => (await import("./rules/memory-command.ts")).memoryCommand,
  report: async () => (await import("./report-command.ts")).reportCommand,
  economy: async () => (await import("./economy/economy-command.ts")).economyCommand,
};

export type SlowCommand = keyof typeof slowCommands;

export const slowParts = {
  ...slowCommands,
  completion: async (commands: Readonly<Record<string, CommandEntry>>): Promise<Command> =>
    (await import("./completion/completion-command.ts")).completionCommand(commands),
  mcp: async (commands: Readonly<Record<string, CommandEntry>>): Promise<Command> =>
    (await import("./mcp/mcp-command.ts")).mcpCommand(commands),
  firstPage: async () => (await import("./first-page.ts")).printFirstPage,
  noteFormerName: async () => (await import("./first-page.ts")).noteFormerName,
  help: async () => (await import("./guide.ts")).helpOn,
  namesOfSessions: async () => (await import("./sessions/sessions-command.ts")).namesOfSessions,
  usageInFiles: async () => (await import("./usage/by-file.ts")).usageInFiles,
  withoutLedger: async () => (await import("./usage/without-ledger.ts")).withoutLedger,
  usageOnDisk: async () => (await import("./usage/on-disk.ts")).usageOnDisk,
  askThoroughly: async () => (await import("./usage/thorough.ts")).askThoroughly,
};
