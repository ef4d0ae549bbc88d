/** In reading order. Each name is a file in `media/guide`. */
export const topics: Readonly<Record<string, string>> = {
  "status-bar": "what the status bar shows, and when to act on it",
  sample: "look at a month of recorded work, without an agent",
  usage: "where the tokens went: the Ledger, by day, project, model and tool",
  hooks: "let the agent know how full its context is, and what each agent supports",
  budgets: "limit the tokens of a project, a branch, an agent or a session",
  guard: "check each tool call of an agent before it runs, and shorten long outputs",
  "handing-over": "what a compaction lost, and how work goes on in another session",
  learning: "what past sessions teach about a project",
  "recurring-agents": "agents that work on tasks by a schedule",
  benchmarks: "measure an agent on fixed tasks, and compare models, prompts and settings",
  rules: "advice for agents that is measured before they get it",
  settings: "every setting, its default, and which value applies",
  terminal: "the commands, their JSON, and completion in a shell",
  privacy: "what is read, stored and written, and when the network is used",
  method: "how measurements are judged, and how well, with the commands that print each figure",
};
