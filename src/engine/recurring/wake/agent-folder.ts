import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import { namesIfReadable } from "../../base/files.ts";
import { definitionsFolder } from "../agents/locate.ts";
import { realPathOf } from "../../base/paths.ts";

/** Folder of a recurring agent's state: one per agent and project, in purser's own folder. */
export interface AgentPlace {
  readonly folder: string;
  /** Sessions and wakes: see `state.ts`. */
  readonly state: string;
  /** The agreement of its user: see `../consent/agreement.ts`. */
  readonly agreement: string;
  /** Settings of Claude Code for its wakes. */
  readonly settings: string;
  /** The only folder of these that the agent may write to: see `Desk`. */
  readonly desk: string;
}

/** @param wakes the folder of all agents */
export function agentPlace(wakes: string, project: string, name: string): AgentPlace {
  const folder = path.join(wakes, `${name}${endOf(project)}`);
  return {
    folder,
    state: path.join(folder, "state.json"),
    agreement: path.join(folder, "agreement.json"),
    settings: path.join(folder, "claude-settings.json"),
    desk: path.join(folder, "desk"),
  };
}

/** The same project by another way is the same. */
function endOf(project: string): string {
  return `-${sha256Hex(realPathOf(project), 10)}`;
}

/** Returns the names of a project's agents: those that have a file, and those that were woken once. @param wakes the folder of all agents */
export async function agentsOf(wakes: string, project: string): Promise<string[]> {
  const end = endOf(project);
  const [files, woken] = await Promise.all([
    namesIfReadable(definitionsFolder(project)),
    namesIfReadable(wakes),
  ]);
  const names = [
    ...files.flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -".md".length)] : [])),
    ...woken.flatMap((name) => (name.endsWith(end) ? [name.slice(0, -end.length)] : [])),
  ];
  return [...new Set(names)].sort();
}
