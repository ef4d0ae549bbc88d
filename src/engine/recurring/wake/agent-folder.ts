import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import { namesIfReadable } from "../../base/files.ts";
import { definitionsFolder } from "../agents/locate.ts";
import { realPathOf } from "../../base/paths.ts";

/** In purser's own folder, one per agent and project. */
export interface AgentPlace {
  readonly folder: string;
  /** Sessions and wakes. */
  readonly state: string;
  /** Of its user: see `../consent/agreement.ts`. */
  readonly agreement: string;
  /** Claude Code's settings for its wakes. */
  readonly settings: string;
  /** The agent may write to this folder only: see `Desk`. */
  readonly desk: string;
}

/** `wakes` is the folder of all agents. */
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

/** Agents that have a file, and those that were woken once. `wakes` is the folder of all agents. */
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
