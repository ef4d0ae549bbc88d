import type { Clock } from "../base/timing.ts";
import { findDefinition } from "./agents/definitions.ts";
import { projectOf } from "./agents/locate.ts";
import { overviewPorts, readOverview, readOverviews, type AgentOverview } from "./wake/agent-overview.ts";

export interface TrustedAgentPorts {
  /** Folder of all agents' states. */
  readonly wakes: string;
  readonly clock: Clock;
  readonly pid: number;
  readonly isTrusted: (folder: string) => boolean;
}

/** Of a trusted folder's project. A project above the folder must be trusted itself. */
export async function readTrustedAgents(
  folder: string,
  name: string | null,
  { wakes, clock, pid, isTrusted }: TrustedAgentPorts,
): Promise<readonly AgentOverview[]> {
  const project = projectOf(folder);
  if (!isTrusted(project)) return [];
  const ports = overviewPorts(wakes, { now: () => clock.now(), pid });
  if (name === null) return await readOverviews(project, ports);
  const found = findDefinition(project, name);
  return found.ok ? [await readOverview(found.value, project, ports)] : [];
}
