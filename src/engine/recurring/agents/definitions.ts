import { definitionsFolder, definitionFile } from "./locate.ts";
import path from "node:path";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { stringify } from "yaml";
import { type Result, fail, rethrowUnlessSystemError, succeed, errorCode } from "../../base/result.ts";
import { readSmallText, readSmallTextAsync } from "../../base/files.ts";
import { isRecurringName, readDefinition, type DefinitionRead } from "./definition.ts";
import { sentence } from "../../base/language.ts";
import { insideProject } from "../../base/paths.ts";
import type { HandoverWord } from "../../continuity/handover.ts";

/** Bytes. */
const maxFileSize = 1024 * 1024;
const maxFiles = 200;

export interface FoundDefinition {
  readonly name: string;
  readonly file: string;
  readonly read: DefinitionRead;
}

/** By name. Empty for a missing folder. */
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

/** A null text cannot be read. */
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

/** A person completes the file. */
export function definitionText({
  name,
  program,
  model,
}: {
  readonly name: string;
  readonly program: HandoverWord;
  readonly model: string;
}): string {
  const head = stringify({ program, model }, { lineWidth: 0 });
  return `---
${head}# schedule: "*/30 8-18 * * 1-5"   # wake it by purser run --due from cron or a systemd timer
# budget: { wake: 200000, day: 2000000 }
wake: Go on with your task. Read what is new, do the next step, and write a comment when something changed.
---
You are ${name}, a recurring agent of this project. Describe here, once, what it is responsible for, what it must not do, and when a
task counts as done. A session reads this only when it begins.
`;
}

/** Overwrites nothing. */
export function writeDefinition(
  file: string,
  text: string,
  project: string,
): Result<null, "exists" | "unwritable" | "outside_project"> {
  const inside = insideProject(path.dirname(file), project);
  if (!inside.ok) return inside;
  if (existsSync(file)) return fail("exists", sentence("{0} exists already; edit it instead", file));
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
    return succeed(null);
  } catch (error) {
    return fail("unwritable", sentence("{0} cannot be written ({1})", file, errorCode(error)));
  }
}
