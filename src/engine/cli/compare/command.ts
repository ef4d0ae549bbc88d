import { commandWithSubcommands } from "../subcommands.ts";
import { compareAll } from "./several.ts";
import { comparisonWords } from "./words.ts";

const help = `purser compare: which of two configurations completes an agent's golden tasks with fewer tokens

  purser compare model AGENT --model M [--baseline B]   model M against B (default: the agent's own model)
  purser compare prompt AGENT --variant FILE            another text of the agent's file
  purser compare setting AGENT --settings FILE          with this settings.json
                               --claude-md FILE         with this CLAUDE.md; --without-claude-md: without any
                               --skill DIR              with this skill
                               --mcp FILE               with these MCP servers
                               --effort E               with another effort
                               --guard on               with purser's guards, against none (Claude Code only)
  purser compare setting guard=on --agent AGENT         the same, with the setting first

  --runs N       maximum number of rounds, each running every task once per side (default: 12)
  --budget T     spend at most T tokens, such as 500k or 1.5M (default: what the plan says)
  --driver D     claude, codex or replay (default: the first agent that is ready). replay is a free demo with recordings:
                 it says nothing about a model
  --model M      for prompt and setting: model of both sides (default: the one in the agent's definition)
  --effort E     for model and prompt: effort of both sides
  --memory FILE  MEMORY.md of both sides, or none (default: the agent's active rules)
  --parallel N   runs at the same time (default: 1)
  --suite S      built-in or workspace (default: the workspace's .purser/golden if it has one)
  --cwd DIR      workspace folder, or a folder in it (default: the working folder)
  --yes          start without asking; needed in scripts
  --json         print JSON (schema: media/schemas/compare.schema.json); plan and progress go to standard error
  --help         print this help

Give --model, --variant or a setting several times (up to 8) to compare them with the same unchanged runs, which takes fewer tokens than
one by one. Each is judged separately and stops as soon as its result is clear; the chance of any false claim is held at 5 % on each side
for all of them together.

Everything else is the same on both sides. The plan and its price are shown before anything runs. Ctrl-C stops; the same command
continues where it stopped. Earlier measurements of the same comparison count too. The report is kept with the runs.

Exit codes: 0 better (cheaper, and shown to be as good; of several: at least one); 1 not better; 2 usage error; 3 undecided or failed;
130 interrupted.
`;

export const compareCommand = commandWithSubcommands("compare", help, comparisonWords("compare", compareAll));
