import type { Result } from "../../base/result.ts";
import type { GoldenAgent } from "../../bench/suite/suite.ts";
import type { ParsedOptions } from "../args.ts";
import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import { compare, reportFailure, type Comparing } from "./act.ts";
import { modelChange, promptChange, settingChange, settingSpecs, type AskedChange } from "./change.ts";
import type { CompareJson } from "./schema.ts";
import { compareSpecs, setUp, type Setup } from "./setup.ts";
import { goldenSuite } from "../bench/golden/target.ts";

const help = `purser compare: which of two configurations an agent does its golden tasks with for fewer tokens

  purser compare model AGENT --model M [--baseline B]   model M against B, or against the agent's own; with --model N,
                                                        N too, up to 8 models against the same runs
  purser compare prompt AGENT --variant FILE            another text of the agent's file, or several
  purser compare setting AGENT --settings FILE          with this settings.json
                               --claude-md FILE         with this CLAUDE.md; --without-claude-md: without the fixture's
                               --skill FOLDER           with this skill
                               --mcp FILE               with these MCP servers
                               --effort E               with another effort
                               each of these several times: they are compared with the same runs

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

type ChangeOf = (options: ParsedOptions, agent: GoldenAgent, cwd: string) => Promise<Result<AskedChange>>;

export const compareCommand = commandWithSubcommands("compare", help, comparisonWords("compare", compare));

/** Measures or plans two configurations; returns the exit code. */
type Act = (
  setup: Setup,
  change: AskedChange,
  comparing: Comparing & { readonly command: ComparisonCommand },
) => Promise<number>;
type ComparisonCommand = Exclude<CompareJson["command"], "ablate" | "evolve">;

/** The words that name what differs. @param name the command before them, in messages */
export function comparisonWords(name: string, act: Act): Readonly<Record<string, Subcommand>> {
  const about = { name, act };
  return {
    model: comparing(
      "compare model",
      { baseline: { value: "a model's name" }, ...effort() },
      { ...about, changeOf: modelChange },
    ),
    prompt: comparing(
      "compare prompt",
      { variant: { value: "a file" }, ...effort() },
      { ...about, changeOf: promptChange },
    ),
    setting: comparing("compare setting", settingSpecs, {
      ...about,
      changeOf: (options, _, cwd) => settingChange(options, cwd),
    }),
  };
}

function effort(): Subcommand["specs"] {
  return { effort: settingSpecs.effort };
}

function comparing(
  command: ComparisonCommand,
  specs: Subcommand["specs"],
  { name, act, changeOf }: { readonly name: string; readonly act: Act; readonly changeOf: ChangeOf },
): Subcommand {
  const shownAs = command.replace("compare", name);
  return {
    specs: { ...compareSpecs, ...specs },
    first: { isMissing: "an AGENT is needed; purser golden list tells them" },
    run: async ({ options, first }, host) => {
      const asking = { command, shownAs, options, host };
      const suite = await goldenSuite(options, host);
      if (!suite.ok) return reportFailure(suite, asking);
      const agent = suite.value.agents.find(({ name }) => name === first);
      // Wrong usage is reported before any agent is searched for.
      const change = agent === undefined ? null : await changeOf(options, agent, host.cwd);
      if (change?.ok === false) return reportFailure(change, asking);
      const setup = await setUp(suite.value, first, heldConstant(command, options), host);
      if (!setup.ok) return reportFailure(setup, asking);
      return change === null ? 2 : await act(setup.value, change.value, asking);
    },
  };
}

/** The options that apply to both sides, without the one that is compared. */
function heldConstant(command: CompareJson["command"], options: ParsedOptions): ParsedOptions {
  return {
    has: (name) => options.has(name),
    values: (name) => options.values(name),
    value: (name) => {
      if (command === "compare model" && name === "model") return options.value("baseline");
      return command === "compare setting" && name === "effort" ? undefined : options.value(name);
    },
  };
}
