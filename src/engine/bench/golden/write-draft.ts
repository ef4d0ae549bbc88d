import { insideProject } from "../../base/paths.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { constants, copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { cleanText, cutMiddle, asSentence } from "../../base/text.ts";
import type { SessionDraft } from "./draft.ts";
import { agentName } from "./golden-schema.ts";

export interface WrittenDraft {
  /** The written files, the task first. */
  readonly files: readonly string[];
  readonly remaining: readonly Sentence[];
}

const maxPromptLength = 4000;
const maxTitleLength = 80;

/**
 * Writes a draft into a suite: `NN-….draft.md`, which runs ignore, its solution, and a check that always fails. A person finishes it and removes
 * `.draft` from its name. Existing files are never overwritten.
 *
 * @param agents folders to copy the agent's definition from, the best first
 * @throws the system's error if something cannot be written
 */
export async function writeDraft(
  draft: SessionDraft,
  {
    workspace,
    folder,
    agent,
    agents,
    first = [],
  }: {
    /** The project that the suite's folder is in. */
    readonly workspace: string;
    readonly folder: string;
    readonly agent: string;
    readonly agents: readonly string[];
    /** The caller's own steps, before all others. */
    readonly first?: readonly Sentence[];
  },
): Promise<Result<WrittenDraft, "bad_agent" | "outside_project">> {
  if (!agentName.safeParse(agent).success)
    return fail(
      "bad_agent",
      sentence(
        "An agent's name has small letters, digits and single hyphens, and not {0}",
        JSON.stringify(agent),
      ),
    );
  const tasks = path.join(folder, "tasks", agent);
  const checks = path.join(folder, "checks", agent);
  for (const each of [tasks, checks, path.join(folder, "agents")]) {
    const inside = insideProject(each, workspace);
    if (!inside.ok) return inside;
  }
  for (const each of [tasks, checks, path.join(folder, "agents")]) await mkdir(each, { recursive: true });
  const name = `${await nextNumber(tasks)}-${slugOf(draft.prompt)}`;
  const files = [path.join(tasks, `${name}.draft.md`), path.join(checks, `${name}.mjs`)];
  const solution = draft.patch === null ? null : `${name}.solution.patch`;
  await writeNew(files[1] ?? "", checkText);
  if (solution !== null && draft.patch !== null) {
    files.push(path.join(tasks, solution));
    await writeNew(path.join(tasks, solution), draft.patch);
  }
  const definition = path.join(folder, "agents", `${agent}.md`);
  const hasAgent = await copyFirst(agents, `${agent}.md`, definition);
  if (hasAgent === "copied") files.push(definition);
  const left = [...first, ...remaining(draft, { solution, definition, hasAgent: hasAgent !== "none" })];
  await writeNew(files[0] ?? "", taskText(draft, { agent, name, solution, left }));
  return succeed({ files, remaining: left });
}

export async function nextNumber(tasks: string): Promise<string> {
  const numbers = (await readdir(tasks)).map((name) => Number(/^(\d+)-/u.exec(name)?.[1] ?? 0));
  return String(Math.max(0, ...numbers) + 1).padStart(2, "0");
}

export function slugOf(prompt: string): string {
  const words = prompt.toLowerCase().match(/[a-z0-9]+/gu) ?? [];
  return words.slice(0, 5).join("-").slice(0, 40).replace(/-$/u, "") || "task";
}

function taskText(
  { prompt, unknown }: SessionDraft,
  {
    agent,
    name,
    solution,
    left,
  }: { agent: string; name: string; solution: string | null; left: readonly Sentence[] },
): string {
  const safe = safePrompt(prompt);
  const front = {
    id: `${agent}-${name}`,
    agent,
    title: titleOf(safe),
    prompt: safe,
    check: `node .purser-check/${agent}/${name}.mjs`,
    weight: 1,
    ...(solution === null ? {} : { solution }),
    wrong: [],
  };
  const notes = unknown.map(
    (file) => `- ${file} was changed too; the transcript does not tell what was in it.`,
  );
  const steps = left.map(({ text }) => `- [ ] ${asSentence(cleanText(text))}`);
  const body = ["Drafted from a session.", ...notes, "", "What remains:", "", ...steps].join("\n");
  return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${body}\n`;
}

/** Makes a prompt valid for the task schema: no invisible characters, not too long, and no leading hyphen, which would make it an option. */
function safePrompt(prompt: string): string {
  const seen = seenOnly(prompt.replaceAll("\r\n", "\n")).trim();
  // The cut may split a surrogate pair.
  return seenOnly((seen.startsWith("-") ? `Task: ${seen}` : seen).slice(0, maxPromptLength)).trim();
}

function seenOnly(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]|[\u2028\u2029]/gu, "");
}

function titleOf(prompt: string): string {
  const title = cutMiddle(cleanText(prompt.split("\n")[0] ?? ""), maxTitleLength);
  return title === "" ? "A task from a session" : title;
}

/** The error of a check that has not been written yet. */
export const unwrittenCheck = "This check is not written yet";
const checkText = `// Runs in a copy of the fixture, after the work. Exit code 0 says that it is done: try what the code does, not how it is written.
throw new Error("${unwrittenCheck}");
`;

function remaining(
  { patch, unknown }: SessionDraft,
  { solution, definition, hasAgent }: { solution: string | null; definition: string; hasAgent: boolean },
): Sentence[] {
  return [
    sentence("write its check; for now it always fails"),
    ...(patch === null || solution === null
      ? [sentence("add a solution as a patch; the session changed no known file")]
      : []),
    ...(unknown.length > 0
      ? [sentence("add to the solution what is not known of {0}", unknown.join(", "))]
      : []),
    sentence("add patches that look like solutions but are wrong"),
    ...(hasAgent ? [] : [sentence("write the agent's definition, {0}", definition)]),
    sentence("remove .draft from its name, then run purser golden check"),
  ];
}

async function copyFirst(
  folders: readonly string[],
  name: string,
  to: string,
): Promise<"copied" | "there" | "none"> {
  for (const folder of folders)
    try {
      await copyFile(path.join(folder, name), to, constants.COPYFILE_EXCL);
      return "copied";
    } catch (error) {
      const code = errorCode(error);
      if (code === "EEXIST") return "there";
      if (code !== "ENOENT") throw error;
    }
  return "none";
}

async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx" });
}
