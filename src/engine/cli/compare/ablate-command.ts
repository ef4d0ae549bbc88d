import path from "node:path";
import { sentence, compose } from "../../base/language.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { compare, reportFailure } from "./act.ts";
import { compareOptions, setUp } from "./setup.ts";
import { goldenSuite, goldenWorkspace } from "../bench/golden/target.ts";
import { option, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { memoryPath } from "../../bench/execute.ts";
import type { Suite } from "../../bench/suite.ts";
import type { Change } from "../../compare/compare-change.ts";
import { withoutServer, filesBesideSkill } from "../../compare/leave-out.ts";
import { readText, type ChosenChange } from "./compare-change.ts";

const { model, ...others } = compareOptions;

export const ablateCommand = command({
  name: "try-without",
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
    const invocation = { command: "ablate", options, host } as const;
    const suite = await goldenSuite(options, host);
    if (!suite.ok) return reportFailure(suite, invocation);
    const found = await ablated(argument, {
      cwd: host.cwd,
      workspace: goldenWorkspace(options, host),
      root: claudeRoot(host),
      suite: suite.value,
    });
    if (!found.ok) return reportFailure(found, invocation);
    const agents = suite.value.agents.map(({ name }) => name);
    const agent =
      found.value.agent ?? options.value("agent") ?? (agents.length === 1 ? agents[0] : undefined);
    if (agent === undefined)
      return reportFailure(
        { reason: "bad_argument", detail: sentence("--agent is required: one of {0}", agents.join(", ")) },
        invocation,
      );
    const setup = await setUp(suite.value, agent, options, host);
    return setup.ok ? await compare(setup.value, found.value, invocation) : reportFailure(setup, invocation);
  },
});

interface Ablated extends ChosenChange {
  /** Null for any agent. */
  readonly agent: string | null;
  /** Files that both sides have. */
  readonly shared: readonly OverlayFile[];
}

interface AblateInput {
  readonly cwd: string;
  readonly workspace: string;
  /** Claude Code's configuration folder. */
  readonly root: string;
  readonly suite: Suite;
}

type Found = Result<Ablated, "bad_argument">;

/** `given` is `FILE` or `FILE#heading`. */
async function ablated(given: string, input: AblateInput): Promise<Found> {
  const [, file = given, heading = null] = /^([^#]+)#(.+)$/su.exec(given) ?? [];
  const read = await readText(file, input.cwd);
  if (!read.ok) return read;
  const full = path.resolve(input.cwd, file);
  const own = agentOf(full, input);
  const text = read.value;
  if (own !== null)
    return succeed({ ...nothingElse, agent: own.agent, change: without(own.file, text, heading) });
  const below = pathInProject(full, input);
  if (below === null)
    return wrongUsage(sentence("{0} is in neither {1} nor {2}", file, input.workspace, input.root));
  if (path.basename(full) === ".mcp.json" && heading !== null) return lessServer(text, heading, file);
  const found = { ...nothingElse, agent: null, change: without({ is: "file", path: below }, text, heading) };
  if (path.basename(full) === "AGENTS.md")
    return succeed({
      ...found,
      notes: [sentence("Claude Code reads an AGENTS.md only where a CLAUDE.md imports it.")],
    });
  return path.basename(full) === "SKILL.md" ? await besideSkill(found, full, below) : succeed(found);
}

const nothingElse = { notes: [], shared: [] };

type LeftOutFile = Extract<Change, { kind: "without" }>["file"];

function without(file: LeftOutFile, text: string, heading: string | null): Change {
  return { kind: "without", file, text, heading };
}

/** A definition by its file name, a memory by its folder's name. */
function agentOf(full: string, { suite }: AblateInput): { agent: string; file: LeftOutFile } | null {
  for (const { name } of suite.agents) {
    const parts = full.split(path.sep).join("/");
    if (parts.endsWith(`/agents/${name}.md`)) return { agent: name, file: { is: "definition" } };
    if (parts.endsWith(memoryPath(name).slice(".claude".length)))
      return { agent: name, file: { is: "memory" } };
  }
  return null;
}

/** A file for all of the user's projects is measured as this project's own. */
function pathInProject(full: string, { workspace, root }: AblateInput): string | null {
  const below = (folder: string) => {
    const way = path.relative(folder, full);
    return way === "" || way.startsWith("..") || path.isAbsolute(way) ? null : way.split(path.sep).join("/");
  };
  const ofUser = below(root);
  return ofUser === null ? below(workspace) : `.claude/${ofUser}`;
}

/** Keeps a skill's other files on both sides. Without its SKILL.md they are not a skill. */
async function besideSkill(found: Ablated, full: string, below: string): Promise<Found> {
  const shared = await filesBesideSkill(path.dirname(full), below);
  return shared.ok ? succeed({ ...found, shared: shared.value }) : shared;
}

function lessServer(text: string, name: string, file: string): Found {
  const left = withoutServer(text, name);
  if (!left.ok) return wrongUsage(compose`${file}: ${left.detail}`);
  return succeed({ ...left.value, notes: [sentence("The MCP servers in this file will be started.")] });
}
