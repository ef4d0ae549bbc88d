import { createHash } from "node:crypto";
import path from "node:path";
import { realPathOf } from "../../base/disk/project-folder.ts";

/** Where a recurring agent's state is: a folder of purser's own for each agent of each project. */
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
  // The same project by another way is the same agent.
  const hash = createHash("sha256").update(realPathOf(project)).digest("hex").slice(0, 10);
  const folder = path.join(wakes, `${name}-${hash}`);
  return {
    folder,
    state: path.join(folder, "state.json"),
    agreement: path.join(folder, "agreement.json"),
    settings: path.join(folder, "claude-settings.json"),
    desk: path.join(folder, "desk"),
  };
}
