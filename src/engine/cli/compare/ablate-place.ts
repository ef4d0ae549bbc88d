import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { memoryPath } from "../../bench/execute/install-agent.ts";
import type { Suite } from "../../bench/suite/suite.ts";
import type { Change } from "../../compare/change.ts";
import { withoutServer } from "../../compare/mcp-entry.ts";
import { filesBesideSkill } from "../../compare/skill-files.ts";
import { readText, type AskedChange } from "./change.ts";

interface Ablated extends AskedChange {
  /** Whose it is by its place; null for any agent's. */
  readonly agent: string | null;
  /** What both sides have besides. */
  readonly shared: readonly OverlayFile[];
}

interface Places {
  readonly cwd: string;
  readonly workspace: string;
  /** Claude Code's configuration folder. */
  readonly root: string;
  readonly suite: Suite;
}

type Found = Result<Ablated, "bad_argument">;

/** What is left out: a file, or what is under one heading of it. @param asked `FILE` or `FILE#heading` */
export async function ablated(asked: string, places: Places): Promise<Found> {
  const [, file = asked, heading = null] = /^([^#]+)#(.+)$/su.exec(asked) ?? [];
  const read = await readText(file, places.cwd);
  if (!read.ok) return read;
  const full = path.resolve(places.cwd, file);
  const own = agentOf(full, places);
  const text = read.value;
  if (own !== null)
    return succeed({ ...nothingElse, agent: own.agent, change: without(own.file, text, heading) });
  const below = placeInProject(full, places);
  if (below === null)
    return fail("bad_argument", `${file} is neither in ${places.workspace} nor in ${places.root}`);
  if (path.basename(full) === ".mcp.json" && heading !== null) return lessServer(text, heading, file);
  const found = { ...nothingElse, agent: null, change: without({ is: "file", path: below }, text, heading) };
  if (path.basename(full) === "AGENTS.md")
    return succeed({
      ...found,
      notes: ["Claude Code reads an AGENTS.md only where a CLAUDE.md imports it."],
    });
  return path.basename(full) === "SKILL.md" ? await besideSkill(found, full, below) : succeed(found);
}

const nothingElse = { notes: [], shared: [] };

type Place = Extract<Change, { kind: "without" }>["file"];

function without(file: Place, text: string, heading: string | null): Change {
  return { kind: "without", file, text, heading };
}

/** A definition is known by its name, a memory by its folder's. */
function agentOf(full: string, { suite }: Places): { agent: string; file: Place } | null {
  for (const { name } of suite.agents) {
    const parts = full.split(path.sep).join("/");
    if (parts.endsWith(`/agents/${name}.md`)) return { agent: name, file: { is: "definition" } };
    if (parts.endsWith(memoryPath(name).slice(".claude".length)))
      return { agent: name, file: { is: "memory" } };
  }
  return null;
}

/** What is for all of the user's projects is measured as this project's. */
function placeInProject(full: string, { workspace, root }: Places): string | null {
  const below = (folder: string) => {
    const way = path.relative(folder, full);
    return way === "" || way.startsWith("..") || path.isAbsolute(way) ? null : way.split(path.sep).join("/");
  };
  const ofUser = below(root);
  return ofUser === null ? below(workspace) : `.claude/${ofUser}`;
}

/** What a skill has besides its SKILL.md is there on both sides; without that it is no skill. */
async function besideSkill(found: Ablated, full: string, below: string): Promise<Found> {
  const shared = await filesBesideSkill(path.dirname(full), below);
  return shared.ok ? succeed({ ...found, shared: shared.value }) : shared;
}

function lessServer(text: string, name: string, file: string): Found {
  const left = withoutServer(text, name);
  if (!left.ok) return fail("bad_argument", `${file}: ${left.detail}`);
  return succeed({ ...left.value, notes: ["The MCP servers of this file are started."] });
}
