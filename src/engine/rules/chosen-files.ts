import { execFile } from "node:child_process";
import path from "node:path";
import * as z from "zod/mini";
import { textIfThere, writeAtomically, type FilePort } from "../base/files.ts";
import { readJson } from "../base/parse.ts";
import { errorCode, fail, succeed, type Result } from "../base/result.ts";
import { sentence } from "../base/language.ts";
import { mainFiles, type ChosenFile } from "./main-files.ts";

/** Maximum projects with a file. */
const maxProjects = 1000;

const schema = z.object({
  version: z.literal(1),
  projects: z
    .array(
      z.object({ project: z.string().check(z.minLength(1), z.maxLength(4096)), name: z.enum(mainFiles) }),
    )
    .check(z.maxLength(maxProjects)),
});

interface Ports {
  /** Path of the state file. */
  readonly chosenFiles: string;
  readonly files: FilePort;
  readonly unique: () => string;
}

/** Returns the file that the user chose in each project, in order of the projects. */
export async function readChosen({ chosenFiles }: Pick<Ports, "chosenFiles">): Promise<Result<ChosenFile[]>> {
  try {
    const text = await textIfThere(chosenFiles);
    if (text === null) return succeed([]);
    const read = readJson(schema, text);
    return read === null
      ? fail("unreadable", sentence("{0} is not as purser wrote it; remove it and choose again", chosenFiles))
      : succeed(read.projects);
  } catch (error) {
    return fail("unreadable", sentence("{0} cannot be read: {1}", chosenFiles, errorCode(error)));
  }
}

/** Stores the choice for one project; null forgets it. */
export async function writeChosen(
  { project, name }: { readonly project: string; readonly name: ChosenFile["name"] | null },
  ports: Ports,
): Promise<Result<void>> {
  const known = await readChosen(ports);
  if (!known.ok) return known;
  const others = known.value.filter((each) => each.project !== project);
  const projects = [...others, ...(name === null ? [] : [{ project, name }])]
    .toSorted((one, other) => (one.project < other.project ? -1 : 1))
    .slice(0, maxProjects);
  try {
    await ports.files.makeFolder(path.dirname(ports.chosenFiles));
    const text = `${JSON.stringify({ version: 1, projects }, null, 2)}\n`;
    await writeAtomically(ports.chosenFiles, Buffer.from(text), ports);
    return succeed(undefined);
  } catch (error) {
    return fail("failed", sentence("{0} cannot be written: {1}", ports.chosenFiles, errorCode(error)));
  }
}

/** Maximum time for git to answer. Milliseconds. */
const maxGitTime = 3000;

/** Returns whether git ignores a file of a project; null where git cannot say, as outside of a repository. */
export function isIgnoredByGit(project: string, name: string): Promise<boolean | null> {
  // A repository's own file system monitor is a program of its choice: it is not started.
  const args = ["-c", "core.fsmonitor=false", "check-ignore", "--quiet", "--", name];
  return new Promise((resolve) => {
    execFile("git", args, { cwd: project, timeout: maxGitTime, windowsHide: true }, (error) => {
      if (error === null) resolve(true);
      else resolve(error.code === 1 ? false : null);
    });
  });
}
