import { claudeRoot } from "../../transcripts/claude/roots.ts";
import { ablated } from "./ablate-setup.ts";
import { compare, reportFailure } from "./act.ts";
import { compareSpecs, setUp } from "./setup.ts";
import { goldenSuite, goldenWorkspace } from "../bench/golden/target.ts";
import { commandOfArgument } from "../one-argument.ts";

const help = `purser ablate: whether what is in a file earns its place, measured by running without it

  purser ablate FILE                 without the file: a CLAUDE.md, a rule, a skill's SKILL.md, a MEMORY.md
  purser ablate "FILE#heading"       without what is under one heading; an agent's file needs one
  purser ablate ".mcp.json#server"   without one MCP server

  --agent A      whose golden tasks it is measured with; needed unless the file is an agent's own
  --model M      the model of both sides; what the agent's definition names when nothing is told
  --effort E, --memory FILE, --runs N, --budget T, --driver D, --parallel N, --suite S, --cwd DIR, --yes, --json
                 as of purser compare
  --help         print this

The file is not touched. It is laid into the fixture's copy on one side, at its place in the project, and left out on the other.
Exit code 0: better without it; 1: not; 3: not decided, or it could not be done; 2: asked wrongly; 130: interrupted.
`;

const specs = {
  ...compareSpecs,
  agent: { value: "an agent's name" },
  effort: { value: "low, medium, high, or whatever the agent knows" },
};

export const ablateCommand = commandOfArgument(
  "ablate",
  help,
  { specs, value: "a file", isMissing: "a FILE or FILE#heading is needed" },
  async ({ argument, options }, host) => {
    const asking = { command: "ablate", options, host } as const;
    const suite = await goldenSuite(options, host);
    if (!suite.ok) return reportFailure(suite, asking);
    const found = await ablated(argument, {
      cwd: host.cwd,
      workspace: goldenWorkspace(options, host),
      root: claudeRoot(host),
      suite: suite.value,
    });
    if (!found.ok) return reportFailure(found, asking);
    const agents = suite.value.agents.map(({ name }) => name);
    const agent =
      found.value.agent ?? options.value("agent") ?? (agents.length === 1 ? agents[0] : undefined);
    if (agent === undefined)
      return reportFailure(
        { reason: "bad_argument", detail: `--agent is needed: one of ${agents.join(", ")}` },
        asking,
      );
    const setup = await setUp(suite.value, agent, options, host);
    return setup.ok ? await compare(setup.value, found.value, asking) : reportFailure(setup, asking);
  },
);
