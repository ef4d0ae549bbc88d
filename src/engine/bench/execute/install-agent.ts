import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Configuration } from "../configuration.ts";

/** Where, below a copy, an agent's memory of the scope `project` is. */
export function memoryPath(agent: string): string {
  return `.claude/agent-memory/${agent}/MEMORY.md`;
}

/**
 * Puts an agent into a copy as Claude Code looks for it: its definition with a memory of the copy's own, and the memory under test. The
 * user's agents and their memories are elsewhere, and stay there.
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
 * The definition with its memory in the project: a memory of any scope is moved there, and one that is under test is kept there even
 * where the definition names none. What has no frontmatter is left as it is.
 */
export function withProjectMemory(definition: string, isNeeded: boolean): string {
  const parts = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(\r?\n---[ \t]*(?:\r?\n|$))([\s\S]*)$/u.exec(definition);
  if (parts === null) return definition;
  const [, opening = "", fields = "", closing = "", body = ""] = parts;
  const line = /^memory[ \t]*:.*$/mu;
  if (line.test(fields)) return `${opening}${fields.replace(line, "memory: project")}${closing}${body}`;
  return isNeeded ? `${opening}${fields}\nmemory: project${closing}${body}` : definition;
}

/** Writes and removes a configuration's files. Fails on a path that leaves the copy, with nothing written. */
export async function applyOverlay(
  copy: string,
  overlay: Configuration["overlay"],
): Promise<Result<null, "outside">> {
  const outside = overlay.find(({ path: place }) => !isBelow(place));
  if (outside !== undefined) return fail("outside", `${outside.path} is outside of the copy`);
  for (const { path: place, text } of overlay) {
    if (text === null) await rm(path.join(copy, place), { recursive: true, force: true });
    else await writeInto(copy, place, text);
  }
  return succeed(null);
}

/** Relative, with `/`, without a way out, and not into what all copies share. */
export function isBelow(place: string): boolean {
  const parts = place.split("/");
  return (
    !/[\\:\0]/u.test(place) &&
    !parts.some((part) => ["", ".", ".."].includes(part)) &&
    parts[0] !== "node_modules"
  );
}

async function writeInto(copy: string, place: string, text: string): Promise<void> {
  const file = path.join(copy, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
