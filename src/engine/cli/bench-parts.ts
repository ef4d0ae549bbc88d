/**
 * Golden tasks and benches, also in a bundle of their own (`esbuild.mjs`), so that other slow parts do not
 * pay for them.
 */
const benchCommands = {
  bench: async () => (await import("./bench/bench-command.ts")).benchCommand,
  baseline: async () => (await import("./bench/baseline-command.ts")).baselineCommand,
  select: async () => (await import("./rules/select-command.ts")).selectCommand,
  plan: async () => (await import("./plan/plan-command.ts")).planCommand,
  compare: async () => (await import("./compare/compare-command.ts")).compareCommand,
  ablate: async () => (await import("./compare/ablate-command.ts")).ablateCommand,
  evolve: async () => (await import("./compare/evolve-command.ts")).evolveCommand,
  agent: async () => (await import("./economy/agent-command.ts")).agentCommand,
  wake: async () => (await import("./economy/wake-command.ts")).wakeCommand,
  task: async () => (await import("./economy/task-command.ts")).taskCommand,
  golden: async () => (await import("./bench/golden/golden-command.ts")).goldenCommand,
};

export type BenchCommand = keyof typeof benchCommands;

export const benchParts = {
  ...benchCommands,
  askClaude: async () => (await import("../bench/ask-claude.ts")).askClaude,
};
