import { succeed, type Result } from "../../base/result.ts";
import { purserPaths } from "../../base/paths.ts";
import {
  wakeOf,
  readState,
  projectOf,
  openTaskSource,
  type LastWake,
  Desk,
  createTaskSource,
  TaskReader,
  type TaskSource,
  type AgentPlace,
  agentPlace,
  openOwnAgent,
  type OwnAgent,
} from "../../recurring/agents.ts";
import type { CliHost } from "../cli-ports.ts";

export function openAgent(name: string, host: CliHost): Result<OwnAgent> {
  return openOwnAgent(purserPaths(host).wakes, projectOf(host.cwd), name);
}

/** Tasks of the running wake's agent, of a named agent, or of all agents for a person. */
export interface TaskAccess {
  readonly source: TaskSource;
  readonly reader: TaskReader;
  readonly author: string;
  /** In a wake, purser runs a task's check afterwards, out of the agent's reach. */
  readonly isWake: boolean;
}

export function openTasks(named: string | null, host: CliHost): Result<TaskAccess> {
  const { env, cwd, signal, now } = host;
  const clock = { now };
  const wake = wakeOf(env);
  if (wake !== null) {
    const { name, project, tasks } = wake;
    const source = createTaskSource(tasks, { project, env, clock, signal });
    const asker = { name, desk: new Desk(wake.desk), wake: wake.wake };
    const place = agentPlace(purserPaths(host).wakes, project, name);
    const reader = new TaskReader({ source, asker, clock, lastWakeOf: lastWakeIn(place) });
    return succeed({ source, reader, author: name, isWake: true });
  }
  if (named === null) {
    const source = createTaskSource("folder", { project: projectOf(cwd), env, clock, signal });
    const reader = new TaskReader({ source, asker: null, clock, lastWakeOf: () => null });
    return succeed({ source, reader, author: userOf(env), isWake: false });
  }
  const own = openAgent(named, host);
  if (!own.ok) return own;
  const { agent, project, place } = own.value;
  const opened = openTaskSource(agent, place, { project, env, clock, signal });
  if (!opened.ok) return opened;
  const source = opened.value;
  const asker = { name: agent.name, desk: new Desk(place.desk), wake: null };
  const reader = new TaskReader({ source, asker, clock, lastWakeOf: lastWakeIn(place) });
  return succeed({ source, reader, author: userOf(env), isWake: false });
}

function lastWakeIn(place: AgentPlace): (task: string) => LastWake | null {
  return (task) => {
    const { recent } = readState(place.state).state;
    const last = recent.findLast(({ taskId }) => taskId === task);
    return last === undefined ? null : { at: last.endedAt, outcome: last.outcome, detail: last.detail };
  };
}

function userOf(env: CliHost["env"]): string {
  const name = env["USER"] ?? env["USERNAME"] ?? "";
  return name === "" ? "user" : name;
}
