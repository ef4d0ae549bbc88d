import { t } from "../../base/text/l10n.ts";
import { claudeRoot } from "../../transcripts/claude/claude-roots.ts";
import { ablated } from "./ablate-setup.ts";
import { compare, reportFailure } from "./act.ts";
import { compareSpecs, setUp } from "./setup.ts";
import { goldenSuite, goldenWorkspace } from "../bench/golden/target.ts";
import { commandOfArgument } from "../one-argument.ts";

const help = `purser ablate: whether a file, a section, a skill or an MCP server is worth its tokens, by running without it

  purser ablate FILE                 without a CLAUDE.md, a rule, a skill's SKILL.md or a MEMORY.md
  purser ablate "FILE#heading"       without the section below a heading; required for an agent's file
  purser ablate ".mcp.json#server"   without one MCP server

  --agent A      whose golden tasks to run; required unless the file is an agent's own
  --model M      model of both sides (default: the one in the agent's definition)
  --effort E, --memory FILE, --runs N, --budget T, --driver D, --parallel N, --suite S, --cwd DIR, --yes, --json
                 same as purser compare
  --help         print this help

Your file is not changed. On one side it is copied into the test project at its place; on the other side it is left out.

Exit codes: 0 better without it; 1 not better; 2 usage error; 3 undecided or failed; 130 interrupted.
`;

const specs = {
  ...compareSpecs,
  agent: { value: "an agent's name" },
  effort: { value: "low, medium, high, or another level of the agent" },
};

export const ablateCommand = commandOfArgument(
  "ablate",
  help,
  { specs, value: "a file", isMissing: t("missing FILE or FILE#heading") },
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
        { reason: "bad_argument", detail: t("--agent is required: one of {0}", agents.join(", ")) },
        asking,
      );
    const setup = await setUp(suite.value, agent, options, host);
    return setup.ok ? await compare(setup.value, found.value, asking) : reportFailure(setup, asking);
  },
);
