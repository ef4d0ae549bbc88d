import { commandWithSubcommands } from "../subcommands.ts";
import { compareAll } from "./several.ts";
import { comparisonWords } from "./words.ts";

const help = `purser compare: which of two configurations an agent does its golden tasks with for fewer tokens

  purser compare model AGENT --model M [--baseline B]   model M against B, or against the agent's own; with --model N,
                                                        N too, up to 8 models against the same runs
  purser compare prompt AGENT --variant FILE            another text of the agent's file, or several
  purser compare setting AGENT --settings FILE          with this settings.json
                               --claude-md FILE         with this CLAUDE.md; --without-claude-md: without the fixture's
                               --skill FOLDER           with this skill
                               --mcp FILE               with these MCP servers
                               --effort E               with another effort
                               --guard on               with purser's own guards, against none (Claude Code only)
                               each of these several times: they are compared with the same runs
  purser compare setting guard=on --agent AGENT         the same, with the setting first

  --runs N       rounds at most, each task once a side; 12 when nothing is told. It stops as soon as it is decided
  --budget T     spend at most T tokens, such as 500k or 1.5M; what the plan says when nothing is told
  --driver D     claude, codex or replay; the first agent that is ready when nothing is told. replay is a free demo with
                 recordings: it says nothing about a model
  --model M      the model of both sides (prompt, setting)
  --effort E     the effort of both sides (model, prompt)
  --memory FILE  the MEMORY.md of both sides, or none with none; the agent's active rules when nothing is told
  --parallel N   runs at a time; 1 when nothing is told
  --suite S      built-in or workspace; the workspace's own (.purser/golden) where it has one, when nothing is told
  --cwd DIR      the workspace's folder, or one in it
  --yes          do not ask
  --json         print JSON; its shape is in media/schemas/compare.schema.json. Plan and progress go to standard error
  --help         print this

Several models, prompts or settings are compared with the same as-is runs, which takes fewer tokens than one by one. Each is judged on
its own and is run no more once it is decided; the chance of any false claim is held at 5 % on each side for all of them together.
Each has a receipt with its part of the cost. Exit code 0: at least one of them is better.

Everything else is the same on both sides. The plan and its price are shown and asked for first. Ctrl-C ends it; asked again it goes
on where it stopped. What is measured again is added to what was measured before. Its receipt is kept beside its runs.
Exit code 0: better, which is cheaper and shown to be as good; 1: not better; 3: not decided, or it could not be done;
2: asked wrongly; 130: interrupted.
`;

export const compareCommand = commandWithSubcommands("compare", help, comparisonWords("compare", compareAll));
