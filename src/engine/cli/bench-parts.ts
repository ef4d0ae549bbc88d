import type { Command } from "./declaration.ts";

/**
 * Golden tasks and benches, also in a bundle of their own (`esbuild.mjs`), so that other slow parts do not
 * pay for them.
 */
export const benchParts = {
  bench: async (): Promise<Command> => (await import("./bench/command.ts")).benchCommand,
  baseline: async (): Promise<Command> => (await import("./bench/baseline-command.ts")).baselineCommand,
  select: async (): Promise<Command> => (await import("./rules/select-command.ts")).selectCommand,
  plan: async (): Promise<Command> => (await import("./plan/command.ts")).planCommand,
  compare: async (): Promise<Command> => (await import("./compare/command.ts")).compareCommand,
  ablate: async (): Promise<Command> => (await import("./compare/ablate-command.ts")).ablateCommand,
  evolve: async (): Promise<Command> => (await import("./compare/evolve-command.ts")).evolveCommand,
  agent: async (): Promise<Command> => (await import("./economy/agent-command.ts")).agentCommand,
  wake: async (): Promise<Command> => (await import("./economy/wake-command.ts")).wakeCommand,
  task: async (): Promise<Command> => (await import("./economy/task-command.ts")).taskCommand,
  askClaude: async () => (await import("../bench/drivers/claude/ask.ts")).askClaude,
  golden: async (): Promise<Command> => (await import("./bench/golden/command.ts")).goldenCommand,
};
