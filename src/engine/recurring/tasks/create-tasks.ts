import { randomUUID } from "node:crypto";
import { nodeFiles } from "../../base/files.ts";
import type { Clock } from "../../base/timing.ts";
import type { DefinitionHead } from "../agents/recurring-agents-schema.ts";
import { CommandSource } from "./command-source.ts";
import { FolderSource } from "./folder-source.ts";
import type { TaskSource } from "./tasks-source.ts";

export function createTaskSource(
  tasks: DefinitionHead["tasks"],
  {
    project,
    env,
    clock,
    signal,
  }: {
    readonly project: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): TaskSource {
  if (tasks === "folder") return new FolderSource(project, { files: nodeFiles, clock, unique: randomUUID });
  return new CommandSource({
    command: tasks.command,
    timeout: tasks.seconds * 1000,
    cwd: project,
    env,
    signal,
  });
}
