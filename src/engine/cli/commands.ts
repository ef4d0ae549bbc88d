import type { CommandEntry } from "./ports.ts";

const load = async () => (await import("./slow-parts.ts")).slowParts;

export const commands: Readonly<Record<string, CommandEntry>> = {
  status: {
    summary: "how full the context of every live session is, and when it will be compacted",
    load: async () => (await load()).status(),
  },
  doctor: {
    summary: "what is wrong with the whole installation, and how to mend it; proves that hooks are live",
    load: async () => (await load()).doctor(),
  },
  session: {
    summary:
      "how the work of a session goes: its phase, trust, focus, files, errors, and what guards make of them",
    load: async () => (await load()).session(),
  },
  handover: {
    summary: "a session's work as a document, for another session or another agent to go on with",
    load: async () => (await load()).handover(),
  },
  service: {
    summary: "the process that reads for all windows and terminals: how it is, start, stop, restart, its log",
    load: async () => (await load()).service(),
  },
  ledger: {
    summary: "everything purser remembers: how it is, check, compact, export, backup, restore",
    load: async () => (await load()).ledger(),
  },
  budget: {
    summary: "what agents may spend, checked before they spend it: create, list, show, set, delete, report",
    load: async () => (await load()).budget(),
  },
  hooks: {
    summary:
      "what agents tell purser while they work, and are told by it: install, uninstall, status, repair, profile",
    load: async () => (await load()).hooks(),
  },
  guard: {
    summary:
      "rules on agents' tool calls, and what they would have done: status, list, explain, test, on, off, observe",
    load: async () => (await load()).guard(),
  },
  learn: {
    summary: "what past sessions teach about a project, and what shows it: status, run, show, forget",
    load: async () => (await load()).learn(),
  },
  output: {
    summary: "originals of outputs that were made smaller before an agent got them",
    load: async () => (await load()).output(),
  },
  rules: {
    summary: "advice for agents that is measured before they get it: list, add, import, approve, reject",
    load: async () => (await load()).rules(),
  },
  select: {
    summary: "measure an agent's rules on its golden tasks, each with and without it",
    load: async () => (await import("./bench-parts.ts")).benchParts.select(),
  },
  trial: {
    summary: "approved rules tried on your own work, by lot: start, status, stop, list",
    load: async () => (await load()).trial(),
  },
  plan: {
    summary:
      "the chance that measuring rules or a comparison decides something, by budget, before it is spent",
    load: async () => (await import("./bench-parts.ts")).benchParts.plan(),
  },
  memory: {
    summary: "what an agent's active rules are compiled into: show, compile, undo",
    load: async () => (await load()).memory(),
  },
  report: {
    summary: "runs and rules of each agent, real work by project, and what was evicted lately",
    load: async () => (await load()).report(),
  },
  bench: {
    summary: "what an agent spends to finish frozen tasks: run, resume, merge the shards of several machines",
    load: async () => (await import("./bench-parts.ts")).benchParts.bench(),
  },
  baseline: {
    summary: "what golden tasks took at first, and at best",
    load: async () => (await import("./bench-parts.ts")).benchParts.baseline(),
  },
  compare: {
    summary:
      "two models, prompts or settings on an agent's golden tasks: which takes fewer tokens and is as good",
    load: async () => (await import("./bench-parts.ts")).benchParts.compare(),
  },
  ablate: {
    summary: "whether a file, a paragraph, a skill or an MCP server earns its place, by running without it",
    load: async () => (await import("./bench-parts.ts")).benchParts.ablate(),
  },
  evolve: {
    summary: "a cheaper rewrite of an agent's prompt, proposed by your own agent and measured",
    load: async () => (await import("./bench-parts.ts")).benchParts.evolve(),
  },
  golden: {
    summary: "the tasks that agents are measured with, and those agents: list, check, new, freeze, install",
    load: async () => (await import("./bench-parts.ts")).benchParts.golden(),
  },
  usage: {
    summary: "tokens and cost of past sessions, by day, session, project, model, agent, tool and more",
    load: async () => (await import("./usage/command.ts")).usageCommand,
  },
  completion: {
    summary: "a script that completes commands, options and their values in bash, zsh, fish or PowerShell",
    load: async () => (await load()).completion(commands),
  },
};
