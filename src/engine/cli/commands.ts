import type { CommandEntry, CommandGroup } from "./declaration.ts";
import type { BenchCommand } from "./bench-parts.ts";
import type { SlowCommand } from "./slow-parts.ts";

function slow(part: SlowCommand, group: CommandGroup, page: string | null, summary: string): CommandEntry {
  return { group, summary, page, load: async () => (await import("./slow-parts.ts")).slowParts[part]() };
}

function bench(part: BenchCommand, group: CommandGroup, page: string, summary: string): CommandEntry {
  return { group, summary, page, load: async () => (await import("./bench-parts.ts")).benchParts[part]() };
}

/** In groups, in the order of `purser help`. Every start loads this file, so the rest of a command is in its declaration. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  status: slow(
    "status",
    "look",
    null,
    "how full each live session's context is, and when it will be compacted",
  ),
  usage: {
    group: "look",
    page: "usage",
    summary: "tokens and cost of past sessions, by day, session, project, model, agent, tool and more",
    load: async () => (await import("./usage/usage-command.ts")).usageCommand,
  },
  why: slow(
    "why",
    "look",
    "usage",
    "why a day, a session or a project cost what it did, and what would have saved most",
  ),
  machines: slow(
    "machines",
    "look",
    "machines",
    "the usage of your other machines, merged: add, list, sync, label, remove",
  ),
  session: slow(
    "session",
    "look",
    "handing-over",
    "how a session's work is going: phase, trust, focus, files, errors",
  ),
  report: slow("report", "look", null, "runs, rules and learning of each agent, and real work by project"),
  instructions: slow(
    "instructions",
    "look",
    null,
    "what the files that agents read by themselves cost, and what makes them dearer than they need be",
  ),
  budget: slow(
    "budget",
    "limit",
    "budgets",
    "limits on what agents may spend: create, list, show, set, delete, report",
  ),
  guard: slow(
    "guard",
    "limit",
    "guard",
    "rules that check agents' tool calls for danger and waste: status, list, explain, test, on, off, observe",
  ),
  output: slow(
    "output",
    "limit",
    "guard",
    "the originals of outputs that were shortened before an agent got them",
  ),
  handover: slow(
    "handover",
    "handOver",
    "handing-over",
    "hand a session's work over to another session or agent, as a document",
  ),
  learn: slow(
    "learn",
    "handOver",
    "learning",
    "what past sessions teach about a project: status, run, show, forget",
  ),
  bench: bench(
    "bench",
    "measure",
    "benchmarks",
    "how many tokens an agent needs for a fixed set of tasks: run, resume, merge",
  ),
  compare: bench(
    "compare",
    "measure",
    "benchmarks",
    "which of two models, prompts or settings completes golden tasks with fewer tokens",
  ),
  "try-without": bench(
    "ablate",
    "measure",
    "benchmarks",
    "whether a file, a section, a skill or an MCP server is worth its tokens",
  ),
  "shorten-prompt": bench(
    "evolve",
    "measure",
    "benchmarks",
    "have a model rewrite an agent's prompt to use fewer tokens, and measure it",
  ),
  rules: slow(
    "rules",
    "measure",
    "rules",
    "advice for agents, measured before they get it: list, add, import, approve, reject",
  ),
  select: bench(
    "select",
    "measure",
    "rules",
    "measure an agent's rules on its golden tasks, with and without each rule",
  ),
  trial: slow(
    "trial",
    "measure",
    "rules",
    "try rules or guards on your own work, assigned at random: start, status, stop, list",
  ),
  memory: slow(
    "memory",
    "measure",
    "rules",
    "the memory file that an agent's active rules are written to: show, compile, undo",
  ),
  golden: bench(
    "golden",
    "measure",
    "benchmarks",
    "the tasks that agents are measured with: list, check, new, freeze, install",
  ),
  baseline: bench("baseline", "measure", "benchmarks", "the first and the best result of each golden task"),
  plan: bench(
    "plan",
    "measure",
    "benchmarks",
    "how likely a measurement is to decide, for different budgets",
  ),
  hooks: slow(
    "hooks",
    "setUp",
    "hooks",
    "connect agents to purser, to warn them and hold them to budgets: install, uninstall, status, repair, profile",
  ),
  mcp: {
    group: "setUp",
    page: "mcp",
    summary:
      "let agents ask purser over MCP: context left, prices, budgets, usage, the guard, the last session",
    load: async () => (await import("./slow-parts.ts")).slowParts.mcp(commands),
  },
  doctor: slow("doctor", "setUp", null, "check the whole installation and say how to fix what is wrong"),
  service: slow(
    "service",
    "setUp",
    null,
    "the background process that all windows and terminals share: status, start, stop, restart, logs",
  ),
  ledger: slow(
    "ledger",
    "setUp",
    null,
    "purser's database of past usage: status, check, compact, export, backup, restore",
  ),
  completion: {
    group: "setUp",
    page: null,
    summary: "complete commands, options and values in bash, zsh, fish or PowerShell",
    load: async () => (await import("./slow-parts.ts")).slowParts.completion(commands),
  },
  agent: bench(
    "agent",
    "recurring",
    "recurring-agents",
    "recurring agents of a project: list, show, add, check, agree",
  ),
  run: bench("wake", "recurring", "recurring-agents", "wake a recurring agent once, or each that is due"),
  task: bench(
    "task",
    "recurring",
    "recurring-agents",
    "a project's tasks, for agents and people: inbox, context, comments, digest, done",
  ),
  economy: slow(
    "economy",
    "recurring",
    "recurring-agents",
    "what recurring agents cost: sessions reused, contexts fetched, cache hits, by agent",
  ),
};

/** Names of commands in version 0.1. They still work in this one. */
export const formerNames: Readonly<Record<string, string>> = {
  ablate: "try-without",
  evolve: "shorten-prompt",
  wake: "run",
};
