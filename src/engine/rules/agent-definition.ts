import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";
import type { AgentDefinition } from "./needs.ts";
import { isAgentName } from "./propose.ts";

/** More files in a folder of agents are not looked through, and none that is larger. Bytes. */
const [mostFiles, largest] = [500, 1_000_000];

/** Where Claude Code looks for agents, in its order. @param root its configuration folder */
export function agentFolders(projects: readonly string[], root: string): string[] {
  return [...projects.map((project) => path.join(project, ".claude", "agents")), path.join(root, "agents")];
}

/**
 * The agents that are defined in some folders. One is known by the name in its definition, whatever the file is called; by the file's where
 * it has none. Of two with one name the first folder's is meant.
 */
export async function agentDefinitions(folders: readonly string[]): Promise<AgentDefinition[]> {
  const found = new Map<string, AgentDefinition>();
  for (const folder of folders)
    for (const file of await definitionsIn(folder)) {
      const text = await textOf(file);
      if (text === null) continue;
      const head = headOf(text);
      const name = fieldIn(head, "name") ?? path.basename(file, ".md");
      if (isAgentName(name) && !found.has(name))
        found.set(name, { name, file, memory: fieldIn(head, "memory") });
    }
  return [...found.values()];
}

async function definitionsIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && entry.name.endsWith(".md"))
      .slice(0, mostFiles)
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    // Whoever has no agents has no folder of them; one that cannot be read tells of none.
    errorCode(error);
    return [];
  }
}

/** Null for what is no file, cannot be read, or is too large for a definition. */
async function textOf(file: string): Promise<string | null> {
  try {
    const { size } = await stat(file);
    return size > largest ? null : await readFile(file, "utf8");
  } catch (error) {
    errorCode(error);
    return null;
  }
}

/** The line that lets what purser compiles reach an agent. */
export const memoryLine = "memory: user";

/** Where that line goes into a definition without one: before the line that ends its frontmatter, from 0. Null without frontmatter. */
export function memoryLinePlace(text: string): number | null {
  const end = headOf(text).length;
  return end === 0 ? null : end;
}

/** The lines from the first `---` to before the second; none of a text that does not begin with one. */
function headOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  const isFence = (line: string | undefined) => /^---[ \t]*$/u.test(line ?? "");
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  return isFence(lines[0]) && end > 0 ? lines.slice(0, end) : [];
}

/** A line of its own, as definitions have it. Claude Code takes heads that are no proper YAML, so that no parser is asked. */
function fieldIn(head: readonly string[], name: string): string | null {
  const line = head.find((each) => each.startsWith(`${name}:`));
  const value = line
    ?.slice(name.length + 1)
    .replace(/(?:^|[ \t])#.*$/u, "")
    .trim()
    .replace(/^(["'])(.*)\1$/u, "$2");
  return value === undefined || value === "" ? null : value;
}
