import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { definitionFile } from "../agents/locate.ts";
import { createTaskSource } from "../tasks/create-tasks.ts";
import type { TaskSource } from "../tasks/tasks-source.ts";
import { readAgreement } from "./agreement.ts";
import type { AgentPlace } from "../wake/agent-folder.ts";

/** The file came with a repository, or changed since a person agreed to it. */
export function hasUnagreedCommand(
  { tasks, hash }: Pick<RecurringAgent, "tasks" | "hash">,
  place: Pick<AgentPlace, "agreement">,
): boolean {
  return tasks !== "folder" && readAgreement(place)?.definition !== hash;
}

export function openTaskSource(
  agent: Pick<RecurringAgent, "name" | "tasks" | "hash">,
  place: Pick<AgentPlace, "agreement">,
  ports: Parameters<typeof createTaskSource>[1],
): Result<TaskSource, "not_agreed"> {
  const { name, tasks } = agent;
  if (tasks !== "folder" && hasUnagreedCommand(agent, place))
    return fail(
      "not_agreed",
      sentence(
        "{0} is not agreed to as it is now, and its tasks come from a command ({1}); nothing was run. See it, and agree with: {2}",
        definitionFile(ports.project, name),
        tasks.command.join(" ").slice(0, 300),
        `purser agent agree ${name}`,
      ),
    );
  return succeed(createTaskSource(tasks, ports));
}
