import { sentence } from "../../base/language.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { ablated } from "./ablate-setup.ts";
import { compare, reportFailure } from "./act.ts";
import { compareOptions, setUp } from "./setup.ts";
import { goldenSuite, goldenWorkspace } from "../bench/golden/target.ts";
import { option } from "../args.ts";
import { command } from "../command.ts";

const { model, ...others } = compareOptions;

export const ablateCommand = command({
  name: "ablate",
  title: "whether a file, a section, a skill or an MCP server is worth its tokens, by running without it",
  words: "FILE",
  does: "without a CLAUDE.md, a rule, a skill's SKILL.md or a MEMORY.md",
  more: [
    {
      words: '"FILE#heading"',
      does: "without the section below a heading; required for an agent's file",
    },
    { words: '".mcp.json#server"', does: "without one MCP server" },
  ],
  argument: { isMissing: sentence("missing FILE or FILE#heading"), offers: "file" },
  options: {
    agent: option(
      "A",
      "an agent's name",
      "whose golden tasks to run; required unless the file is an agent's own",
      "agents",
    ),
    model: { ...model, does: "model of both sides (default: the one in the agent's definition)" },
    ...others,
  },
  elsewhere: { does: "same as purser compare", options: others },
  notes: `
Your file is not changed. On one side it is copied into the test project at its place; on the other side it is left out.

Exit codes: 0 better without it; 1 not better; 2 usage error; 3 undecided or failed; 130 interrupted.
`,
  run: async ({ first: argument, options }, host) => {
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
        { reason: "bad_argument", detail: sentence("--agent is required: one of {0}", agents.join(", ")) },
        asking,
      );
    const setup = await setUp(suite.value, agent, options, host);
    return setup.ok ? await compare(setup.value, found.value, asking) : reportFailure(setup, asking);
  },
});
