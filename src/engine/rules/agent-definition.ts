import path from "node:path";
import { readdir, readFile, stat } from "node:fs/promises";
import { rethrowUnlessSystemError } from "../base/result.ts";
import type { AgentDefinition } from "./needs.ts";
import { isAgentName } from "./distil/propose.ts";

export {
  agentOffers,
  describeNeed,
  missingOf,
  ruledProgram,
  whyNoMemory,
  type AgentDefinition,
  type AgentOrigin,
} from "./needs.ts";

/** Limits: files read per folder of agents; size of one file in bytes. */
const [maxFiles, maxFileSize] = [500, 1_000_000];

/**
 * Folders in which Claude Code looks for agents, in its order.
 * @param root its configuration folder
 */
export function agentFolders(projects: readonly string[], root: string): string[] {
  return [...projects.map((project) => path.join(project, ".claude", "agents")), path.join(root, "agents")];
}

/**
 * Reads the agents defined in some folders. An agent's name comes from its definition, otherwise from the
 * file name. If two have the same name, the first folder wins.
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
      .slice(0, maxFiles)
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    // A missing folder means no agents; an unreadable one is treated the same.
    rethrowUnlessSystemError(error);
    return [];
  }
}

/** Returns null for anything that is not a file, cannot be read, or is too large for a definition. */
async function textOf(file: string): Promise<string | null> {
  try {
    const { size } = await stat(file);
    return size > maxFileSize ? null : await readFile(file, "utf8");
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

/** The line in a definition that gives an agent the memory that purser writes. */
export const memoryLine = "memory: user";

/** Index of the line, from 0, before which to insert `memoryLine`: the end of the frontmatter. Null without frontmatter. */
export function memoryLineIndex(text: string): number | null {
  const end = headOf(text).length;
  return end === 0 ? null : end;
}

/** Lines from the first `---` to the second, exclusive. Empty for a text that does not start with one. */
function headOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  const isFence = (line: string | undefined) => /^---[ \t]*$/u.test(line ?? "");
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  return isFence(lines[0]) && end > 0 ? lines.slice(0, end) : [];
}

/**
 * Reads a field from its own line. Uses no YAML parser, as Claude Code accepts frontmatter that is not valid
 * YAML.
 */
function fieldIn(head: readonly string[], name: string): string | null {
  const line = head.find((each) => each.startsWith(`${name}:`));
  const value = line
    ?.slice(name.length + 1)
    .replace(/(?:^|[ \t])#.*/su, "")
    .trim()
    .replace(/^(["'])(.*)\1$/u, "$2");
  return value === undefined || value === "" ? null : value;
}
