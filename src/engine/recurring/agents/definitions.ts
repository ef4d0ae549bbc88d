import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { rethrowUnlessSystemError } from "../../base/error-code.ts";
import { readSmallText, readSmallTextAsync } from "../../base/disk/read-small-text.ts";
import { fail, type Result } from "../../base/result.ts";
import { definitionFile, definitionsFolder } from "./locate.ts";
import { isRecurringName, readDefinition, type DefinitionRead } from "./definition.ts";
import { sentence } from "../../base/text/sentence.ts";

/** Bytes. */
const maxFileSize = 1024 * 1024;
const maxFiles = 200;

/** A file of the folder, read. */
export interface FoundDefinition {
  readonly name: string;
  readonly file: string;
  readonly read: DefinitionRead;
}

/** Reads every agent of a project, by name. Empty for a missing folder. */
export async function readDefinitions(project: string): Promise<FoundDefinition[]> {
  const folder = definitionsFolder(project);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
  const agents = names
    .filter((name) => name.endsWith(".md") && !/^(?:\.|README\.md$)/iu.test(name))
    .sort()
    .slice(0, maxFiles)
    .map((name) => name.slice(0, -".md".length));
  return await Promise.all(
    agents.map(async (name) => {
      const file = definitionFile(project, name);
      return foundIn(name, file, await readSmallTextAsync(file, maxFileSize));
    }),
  );
}

/** Reads one agent. */
export function findDefinition(project: string, name: string): Result<FoundDefinition, "no_such_agent"> {
  if (!isRecurringName(name) || !existsSync(definitionFile(project, name)))
    return fail(
      "no_such_agent",
      sentence(
        "there is no agent {0} in {1}; purser agent list shows those there are",
        JSON.stringify(name.slice(0, 80)),
        definitionsFolder(project),
      ),
    );
  const file = definitionFile(project, name);
  return { ok: true, value: foundIn(name, file, readSmallText(file, maxFileSize)) };
}

/** @param text null if it cannot be read */
function foundIn(name: string, file: string, text: string | null): FoundDefinition {
  const read: DefinitionRead =
    text === null
      ? {
          ...fail("bad_definition", sentence("it is too large, or cannot be read")),
          faults: [{ line: 1, message: sentence("it is too large, or cannot be read") }],
        }
      : readDefinition(name, text);
  return { name, file, read };
}
