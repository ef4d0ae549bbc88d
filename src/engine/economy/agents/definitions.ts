import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { readSmallText } from "../../base/disk/read-small-text.ts";
import { fail, type Result } from "../../base/result.ts";
import { isRecurringName, readDefinition, type DefinitionRead } from "./definition.ts";

/** Bytes. */
const largest = 1024 * 1024;
const mostFiles = 200;

/**
 * Returns the project that a folder belongs to: the nearest folder upwards with `.purser/agents` or `.purser/tasks`, else the nearest
 * repository, else the folder itself.
 */
export function projectOf(folder: string): string {
  const above = foldersFrom(path.resolve(folder));
  for (const mark of [path.join(".purser", "agents"), path.join(".purser", "tasks"), ".git"]) {
    const found = above.find((each) => existsSync(path.join(each, mark)));
    if (found !== undefined) return found;
  }
  return path.resolve(folder);
}

function foldersFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}

export function definitionsFolder(project: string): string {
  return path.join(project, ".purser", "agents");
}

export function definitionFile(project: string, name: string): string {
  return path.join(definitionsFolder(project), `${name}.md`);
}

/** A file of the folder, read. */
export interface FoundDefinition {
  readonly name: string;
  readonly file: string;
  readonly read: DefinitionRead;
}

/** Reads every agent of a project, by name. A missing folder has none. */
export async function readDefinitions(project: string): Promise<FoundDefinition[]> {
  const folder = definitionsFolder(project);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    errorCode(error);
    return [];
  }
  return names
    .filter((name) => name.endsWith(".md") && !/^(?:\.|README\.md$)/iu.test(name))
    .sort()
    .slice(0, mostFiles)
    .map((name) => readFound(project, name.slice(0, -".md".length)));
}

/** Reads one agent. */
export function findDefinition(project: string, name: string): Result<FoundDefinition, "no_such_agent"> {
  if (!isRecurringName(name) || !existsSync(definitionFile(project, name)))
    return fail(
      "no_such_agent",
      `there is no agent ${JSON.stringify(name.slice(0, 80))} in ${definitionsFolder(project)}; purser agent list shows those there are`,
    );
  return { ok: true, value: readFound(project, name) };
}

function readFound(project: string, name: string): FoundDefinition {
  const file = definitionFile(project, name);
  const text = readSmallText(file, largest);
  const read: DefinitionRead =
    text === null
      ? {
          ...fail("bad_definition", "it is too large, or cannot be read"),
          faults: [{ line: 1, message: "it is too large, or cannot be read" }],
        }
      : readDefinition(name, text);
  return { name, file, read };
}
