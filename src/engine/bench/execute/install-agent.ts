import path from "node:path";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Configuration } from "../configuration.ts";
import type { UnsteadyRuns } from "../bench-request.ts";
import type { BenchRun } from "../run-facts.ts";

/** Path of an agent's memory of the scope `project`, relative to a copy. */
export function memoryPath(agent: string): string {
  return `.claude/agent-memory/${agent}/MEMORY.md`;
}

/**
 * Installs an agent in a copy where Claude Code finds it: its definition, with a memory in the copy, and the memory under test. The
 * user's own agents and memories are elsewhere and stay untouched.
 *
 * @param definition the agent's whole file
 */
export async function installAgent(
  copy: string,
  { agent, memory }: Pick<Configuration, "agent" | "memory">,
  definition: string,
): Promise<void> {
  await writeInto(copy, `.claude/agents/${agent}.md`, withProjectMemory(definition, memory !== null));
  if (memory !== null) await writeInto(copy, memoryPath(agent), memory);
}

/**
 * Returns the definition with its memory in the project: a memory of any scope is moved there, and one is added for a memory under test
 * if the definition names none. A definition without frontmatter is returned unchanged.
 */
export function withProjectMemory(definition: string, isNeeded: boolean): string {
  const parts = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(\r?\n---[ \t]*(?:\r?\n|$))([\s\S]*)$/u.exec(definition);
  if (parts === null) return definition;
  const [, opening = "", fields = "", closing = "", body = ""] = parts;
  const line = /^memory[ \t]*:.*$/mu;
  if (line.test(fields)) return `${opening}${fields.replace(line, "memory: project")}${closing}${body}`;
  return isNeeded ? `${opening}${fields}\nmemory: project${closing}${body}` : definition;
}

/** Writes and removes a configuration's files. Fails on a path outside the copy, before anything is written. */
export async function applyOverlay(
  copy: string,
  overlay: Configuration["overlay"],
): Promise<Result<null, "outside">> {
  const outside = overlay.find(({ path: file }) => !isBelow(file));
  if (outside !== undefined) return fail("outside", sentence("{0} is outside of the copy", outside.path));
  for (const { path: file, text } of overlay) {
    if (text === null) await rm(path.join(copy, file), { recursive: true, force: true });
    else await writeInto(copy, file, text);
  }
  return succeed(null);
}

/** Whether a path is relative, uses `/`, stays inside, and avoids the packages that all copies share. */
export function isBelow(file: string): boolean {
  const parts = file.split("/");
  return (
    !/[\\:\0]/u.test(file) &&
    !parts.some((part) => ["", ".", ".."].includes(part)) &&
    parts[0] !== "node_modules"
  );
}

async function writeInto(copy: string, filePath: string, text: string): Promise<void> {
  const file = path.join(copy, filePath);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * Completed runs of one task and configuration are unsteady when they differ by more than this share of the smaller.
 */
const unsteadyFrom = 0.25;

export function unsteadyRuns(runs: readonly BenchRun[]): UnsteadyRuns[] {
  const groups = new Map<string, UnsteadyRuns>();
  for (const { outcome, side, taskId, processingTokens: tokens } of runs) {
    if (outcome !== "passed") continue;
    const key = `${side}\n${taskId}`;
    const { minimum = tokens, maximum = tokens } = groups.get(key) ?? {};
    groups.set(key, { side, taskId, minimum: Math.min(minimum, tokens), maximum: Math.max(maximum, tokens) });
  }
  return [...groups.values()].filter(({ minimum, maximum }) => maximum > minimum * (1 + unsteadyFrom));
}
