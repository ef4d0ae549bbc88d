import type { CommandEntry } from "./declaration.ts";

const load = async () => (await import("./slow-parts.ts")).slowParts;

export const commands: Readonly<Record<string, CommandEntry>> = {
  status: {
    summary: "how full each live session's context is, and when it will be compacted",
    load: async () => (await load()).status(),
  },
  doctor: {
    summary: "check the whole installation and say how to fix what is wrong",
    load: async () => (await load()).doctor(),
  },
  session: {
    summary: "how a session's work is going: phase, trust, focus, files, errors",
    load: async () => (await load()).session(),
  },
  handover: {
    summary: "hand a session's work over to another session or agent, as a document",
    load: async () => (await load()).handover(),
  },
  service: {
    summary:
      "the background process that all windows and terminals share: status, start, stop, restart, logs",
    load: async () => (await load()).service(),
  },
  ledger: {
    summary: "purser's database of past usage: status, check, compact, export, backup, restore",
    load: async () => (await load()).ledger(),
  },
  budget: {
    summary: "limits on what agents may spend: create, list, show, set, delete, report",
    load: async () => (await load()).budget(),
  },
  hooks: {
    summary:
      "connect agents to purser, to warn them and hold them to budgets: install, uninstall, status, repair, profile",
    load: async () => (await load()).hooks(),
  },
  guard: {
    summary:
      "rules that check agents' tool calls for danger and waste: status, list, explain, test, on, off, observe",
    load: async () => (await load()).guard(),
  },
  learn: {
    summary: "what past sessions teach about a project: status, run, show, forget",
    load: async () => (await load()).learn(),
  },
  instructions: {
    summary:
      "what the files that agents read by themselves cost, and what makes them dearer than they need be",
    load: async () => (await load()).instructions(),
  },
  output: {
    summary: "the originals of outputs that were shortened before an agent got them",
    load: async () => (await load()).output(),
  },
  rules: {
    summary: "advice for agents, measured before they get it: list, add, import, approve, reject",
    load: async () => (await load()).rules(),
  },
  select: {
    summary: "measure an agent's rules on its golden tasks, with and without each rule",
    load: async () => (await import("./bench-parts.ts")).benchParts.select(),
  },
  trial: {
    summary: "try approved rules on your own work, assigned at random: start, status, stop, list",
    load: async () => (await load()).trial(),
  },
  plan: {
    summary: "how likely a measurement is to decide, for different budgets",
    load: async () => (await import("./bench-parts.ts")).benchParts.plan(),
  },
  memory: {
    summary: "the memory file that an agent's active rules are written to: show, compile, undo",
    load: async () => (await load()).memory(),
  },
  report: {
    summary: "runs, rules and learning of each agent, and real work by project",
    load: async () => (await load()).report(),
  },
  bench: {
    summary: "how many tokens an agent needs for a fixed set of tasks: run, resume, merge",
    load: async () => (await import("./bench-parts.ts")).benchParts.bench(),
  },
  baseline: {
    summary: "the first and the best result of each golden task",
    load: async () => (await import("./bench-parts.ts")).benchParts.baseline(),
  },
  compare: {
    summary: "which of two models, prompts or settings completes golden tasks with fewer tokens",
    load: async () => (await import("./bench-parts.ts")).benchParts.compare(),
  },
  ablate: {
    summary: "whether a file, a section, a skill or an MCP server is worth its tokens",
    load: async () => (await import("./bench-parts.ts")).benchParts.ablate(),
  },
  evolve: {
    summary: "have a model rewrite an agent's prompt to use fewer tokens, and measure it",
    load: async () => (await import("./bench-parts.ts")).benchParts.evolve(),
  },
  agent: {
    summary: "recurring agents of a project: list, show, add, check, agree",
    load: async () => (await import("./bench-parts.ts")).benchParts.agent(),
  },
  wake: {
    summary: "wake a recurring agent once, or each that is due",
    load: async () => (await import("./bench-parts.ts")).benchParts.wake(),
  },
  economy: {
    summary: "what recurring agents cost: sessions reused, contexts fetched, cache hits, by agent",
    load: async () => (await load()).economy(),
  },
  task: {
    summary: "a project's tasks, for agents and people: inbox, context, comments, digest, done",
    load: async () => (await import("./bench-parts.ts")).benchParts.task(),
  },
  golden: {
    summary: "the tasks that agents are measured with: list, check, new, freeze, install",
    load: async () => (await import("./bench-parts.ts")).benchParts.golden(),
  },
  usage: {
    summary: "tokens and cost of past sessions, by day, session, project, model, agent, tool and more",
    load: async () => (await import("./usage/command.ts")).usageCommand,
  },
  completion: {
    summary: "complete commands, options and values in bash, zsh, fish or PowerShell",
    load: async () => (await load()).completion(commands),
  },
};
