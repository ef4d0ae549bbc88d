import type { CommandEntry } from "./declaration.ts";
import type { BenchCommand } from "./bench-parts.ts";
import type { SlowCommand } from "./slow-parts.ts";

function slow(part: SlowCommand, page: string | null, summary: string): CommandEntry {
  return { summary, page, load: async () => (await import("./slow-parts.ts")).slowParts[part]() };
}

function bench(part: BenchCommand, page: string, summary: string): CommandEntry {
  return { summary, page, load: async () => (await import("./bench-parts.ts")).benchParts[part]() };
}

/** In the order of `purser --help`. Every start loads this file, so the rest of a command is in its declaration. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  status: slow("status", null, "how full each live session's context is, and when it will be compacted"),
  doctor: slow("doctor", null, "check the whole installation and say how to fix what is wrong"),
  session: slow(
    "session",
    "handing-over",
    "how a session's work is going: phase, trust, focus, files, errors",
  ),
  handover: slow(
    "handover",
    "handing-over",
    "hand a session's work over to another session or agent, as a document",
  ),
  service: slow(
    "service",
    null,
    "the background process that all windows and terminals share: status, start, stop, restart, logs",
  ),
  ledger: slow(
    "ledger",
    null,
    "purser's database of past usage: status, check, compact, export, backup, restore",
  ),
  budget: slow(
    "budget",
    "budgets",
    "limits on what agents may spend: create, list, show, set, delete, report",
  ),
  hooks: slow(
    "hooks",
    "hooks",
    "connect agents to purser, to warn them and hold them to budgets: install, uninstall, status, repair, profile",
  ),
  guard: slow(
    "guard",
    "guard",
    "rules that check agents' tool calls for danger and waste: status, list, explain, test, on, off, observe",
  ),
  learn: slow("learn", "learning", "what past sessions teach about a project: status, run, show, forget"),
  instructions: slow(
    "instructions",
    null,
    "what the files that agents read by themselves cost, and what makes them dearer than they need be",
  ),
  output: slow("output", "guard", "the originals of outputs that were shortened before an agent got them"),
  rules: slow(
    "rules",
    "rules",
    "advice for agents, measured before they get it: list, add, import, approve, reject",
  ),
  select: bench(
    "select",
    "rules",
    "measure an agent's rules on its golden tasks, with and without each rule",
  ),
  trial: slow(
    "trial",
    "rules",
    "try approved rules on your own work, assigned at random: start, status, stop, list",
  ),
  plan: bench("plan", "benchmarks", "how likely a measurement is to decide, for different budgets"),
  memory: slow(
    "memory",
    "rules",
    "the memory file that an agent's active rules are written to: show, compile, undo",
  ),
  report: slow("report", null, "runs, rules and learning of each agent, and real work by project"),
  bench: bench(
    "bench",
    "benchmarks",
    "how many tokens an agent needs for a fixed set of tasks: run, resume, merge",
  ),
  baseline: bench("baseline", "benchmarks", "the first and the best result of each golden task"),
  compare: bench(
    "compare",
    "benchmarks",
    "which of two models, prompts or settings completes golden tasks with fewer tokens",
  ),
  ablate: bench(
    "ablate",
    "benchmarks",
    "whether a file, a section, a skill or an MCP server is worth its tokens",
  ),
  evolve: bench(
    "evolve",
    "benchmarks",
    "have a model rewrite an agent's prompt to use fewer tokens, and measure it",
  ),
  agent: bench("agent", "recurring-agents", "recurring agents of a project: list, show, add, check, agree"),
  wake: bench("wake", "recurring-agents", "wake a recurring agent once, or each that is due"),
  economy: slow(
    "economy",
    "recurring-agents",
    "what recurring agents cost: sessions reused, contexts fetched, cache hits, by agent",
  ),
  task: bench(
    "task",
    "recurring-agents",
    "a project's tasks, for agents and people: inbox, context, comments, digest, done",
  ),
  golden: bench(
    "golden",
    "benchmarks",
    "the tasks that agents are measured with: list, check, new, freeze, install",
  ),
  usage: {
    page: "usage",
    summary: "tokens and cost of past sessions, by day, session, project, model, agent, tool and more",
    load: async () => (await import("./usage/usage-command.ts")).usageCommand,
  },
  completion: {
    page: null,
    summary: "complete commands, options and values in bash, zsh, fish or PowerShell",
    load: async () => (await import("./slow-parts.ts")).slowParts.completion(commands),
  },
};
