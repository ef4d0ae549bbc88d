import { existsSync } from "node:fs";
import path from "node:path";

/** The nearest folder upwards with `.purser/agents` or `.purser/tasks`, else the nearest repository, else the folder itself. */
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
