import { sentence, compose } from "../../base/language.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { readFrontmatter } from "../frontmatter.ts";
import { agentFrontmatter, taskFrontmatter } from "./golden-schema.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { CheckFile, Fixture, GoldenAgent, GoldenTask } from "../suite/suite.ts";

/** Reads an agent's definition. @throws the system's error if the file cannot be read */
export async function readAgent(file: string): Promise<Result<GoldenAgent, "bad_agent">> {
  const definition = await readText(file);
  const read = readFrontmatter(definition, agentFrontmatter);
  if (!read.ok) return fail("bad_agent", compose`${file}: ${read.detail}`);
  const { name, description, model, memory } = read.value;
  if (`${name}.md` !== path.basename(file))
    return fail(
      "bad_agent",
      sentence("{0}: it is named {1}; its file has to be called {2}.md", file, name, name),
    );
  return succeed({
    name,
    description,
    definition,
    path: file,
    hash: sha256Hex(definition),
    memory: memory ?? null,
    model: model === undefined || model === "inherit" ? null : model,
  });
}

/**
 * Reads a task and its check's files.
 * @param checks the suite's folder of checks
 * @param fixtureAt returns the project at a commit
 */
export async function readTask(
  file: string,
  checks: string,
  fixtureAt: (commit: string) => Promise<Result<Fixture>> | Result<Fixture>,
): Promise<Result<GoldenTask, "bad_task">> {
  const read = readFrontmatter(await readText(file), taskFrontmatter);
  if (!read.ok) return fail("bad_task", compose`${file}: ${read.detail}`);
  const { id, agent, title, prompt, check, weight, solution, wrong, base } = read.value;
  const folder = path.dirname(file);
  if (agent !== path.basename(folder))
    return fail(
      "bad_task",
      sentence("{0}: it is for {1}, and stands in the folder of {2}", file, agent, path.basename(folder)),
    );
  const checkFiles = await readCheckFiles(checks, agent, path.basename(file, ".md"));
  if (checkFiles === null)
    return fail("bad_task", sentence("{0}: what its check brings along is too large", file));
  const fixture = base === undefined ? succeed(null) : await fixtureAt(base);
  if (!fixture.ok) return fail("bad_task", compose`${file}: ${fixture.detail}`);
  const parts = [
    id,
    agent,
    prompt,
    check,
    weight,
    checkFiles.map((each) => [each.path, each.text]),
    // Absent in suites from before commits.
    ...(fixture.value === null ? [] : [fixture.value.hash]),
  ];
  return succeed({
    id,
    agent,
    title,
    prompt,
    check,
    checkFiles,
    weight,
    path: file,
    solutionPath: solution === undefined ? null : path.join(folder, solution),
    fixture: fixture.value,
    ...(base === undefined ? {} : { base }),
    wrongPaths: wrong.map((name) => path.join(folder, name)),
    hash: sha256Hex(JSON.stringify(parts)),
  });
}

const maxChecksLength = 1_000_000; // characters

/**
 * Reads `shared/…` and, in the agent's folder, the file of any extension or the folder named like the task. Returns null if they are
 * too large.
 */
async function readCheckFiles(
  checks: string,
  agent: string,
  task: string,
): Promise<readonly CheckFile[] | null> {
  const paths = (await filesBelow(checks)).filter((file) => {
    const [folder, name = "", ...deeper] = file.split("/");
    if (folder === "shared") return true;
    const isNamed = deeper.length > 0 ? name === task : name.replace(/\.[^.]*$/u, "") === task;
    return folder === agent && isNamed;
  });
  const files: CheckFile[] = [];
  let size = 0;
  for (const file of paths) {
    const text = await readText(path.join(checks, file));
    size += text.length;
    if (size > maxChecksLength) return null;
    files.push({ path: file, text });
  }
  return files;
}

/** Paths below a folder, with `/`, in an order that is the same everywhere; empty if there is no folder. Links are skipped. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name !== ".DS_Store")
      .map((entry) =>
        path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"),
      )
      .toSorted();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Reads a file with `
 * ` line ends on every machine.
 */
async function readText(file: string): Promise<string> {
  return (await readFile(file, "utf8")).replaceAll("\r\n", "\n");
}
