import { readdirSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../../base/error-code.ts";

/** Where an administrator's settings of Claude Code are on Linux, macOS and Windows. */
const usualFolders = [
  "/etc/claude-code",
  "/Library/Application Support/ClaudeCode",
  "C:\\Program Files\\ClaudeCode",
];

/** Returns the files in which an administrator has settings of Claude Code, there or not. */
export function managedFiles(folders: readonly string[] = usualFolders): string[] {
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => {
      const parts = path.join(folder, "managed-settings.d");
      const names = jsonFilesIn(parts).map((name) => path.join(parts, name));
      return [path.join(folder, "managed-settings.json"), ...names];
    });
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    // Hardly anybody has such a folder.
    errorCode(error);
    return [];
  }
}
