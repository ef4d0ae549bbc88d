import { constants, copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { textIfThere } from "../../../base/files.ts";
import { insideProject } from "../../../base/paths.ts";
import { errorCode, succeed, type Result } from "../../../base/result.ts";
import { nextNumber, slugOf } from "../write-draft.ts";
import { ownTestsCheck } from "./own-tests-check.ts";
import type { ProvedTask } from "./try-commit.ts";

export interface TaskPlace {
  /** The project that the suite's folder is in. */
  readonly workspace: string;
  readonly folder: string;
  readonly agent: string;
  /** Folders to copy the agent's definition from, the best first. */
  readonly agents: readonly string[];
}

const definitionOf = (agent: string) => `---
name: ${agent}
description: Works on this project
---

You work on this project. Do what is asked, and check it with the project's tests.
`;

/**
 * Writes a proved task into a suite, its own file last: an interrupted writing leaves no half task. Existing files of a
 * person are never overwritten.
 *
 * @returns the task's file
 * @throws the system's error if something cannot be written
 */
export async function writeTask(
  task: ProvedTask,
  commit: string,
  { workspace, folder, agent, agents }: TaskPlace,
): Promise<Result<string, "outside_project">> {
  const tasks = path.join(folder, "tasks", agent);
  const checks = path.join(folder, "checks", agent);
  const shared = path.join(folder, "checks", "shared");
  const definitions = path.join(folder, "agents");
  const locks = path.join(folder, "locks");
  for (const each of [tasks, checks, shared, definitions, locks]) {
    const inside = insideProject(each, workspace);
    if (!inside.ok) return inside;
    if (each !== locks) await mkdir(each, { recursive: true });
  }
  await writeOnce(path.join(folder, "suite.json"), `${JSON.stringify({ schema: 1 }, null, 2)}\n`);
  await writeDefinition(path.join(definitions, `${agent}.md`), agent, agents);
  const name = `${await nextNumber(tasks)}-${slugOf(task.title)}`;
  const { check, files } = ownTestsCheck(`${agent}/${name}`, task.tests);
  for (const file of files) {
    const target = path.join(folder, "checks", file.path);
    if ((await textIfThere(target)) !== file.text) await writeFile(target, file.text);
  }
  const lock = task.lock === null ? null : await textIfThere(task.lock);
  if (task.lock !== null && lock !== null) {
    await mkdir(locks, { recursive: true });
    await writeOnce(path.join(locks, path.basename(task.lock)), lock);
  }
  const solution = `${name}.solution.patch`;
  await writeFile(path.join(tasks, solution), task.solution);
  const wrong = task.wrong.map((_, index) => `${name}.wrong-${index + 1}.patch`);
  for (const [index, patch] of task.wrong.entries())
    await writeFile(path.join(tasks, wrong[index] ?? ""), patch);
  const front = {
    id: `${agent}-${name}`,
    agent,
    title: task.title,
    prompt: task.prompt,
    check,
    base: task.base,
    weight: 1,
    solution,
    wrong,
  };
  const file = path.join(tasks, `${name}.md`);
  const body = `Made of the commit ${commit}. Its tests fail before it and pass after it.`;
  await writeFile(file, `---\n${stringify(front, { lineWidth: 0 })}---\n\n${body}\n`, { flag: "wx" });
  return succeed(file);
}

async function writeDefinition(file: string, agent: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    try {
      await copyFile(path.join(folder, `${agent}.md`), file, constants.COPYFILE_EXCL);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (code === "EEXIST") return;
      if (code !== "ENOENT") throw error;
    }
  await writeOnce(file, definitionOf(agent));
}

async function writeOnce(file: string, text: string): Promise<void> {
  if ((await textIfThere(file)) === null) await writeFile(file, text, { flag: "wx" });
}
