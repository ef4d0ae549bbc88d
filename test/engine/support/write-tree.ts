import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes files by path below `folder`, creating all folders they need. */
export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
