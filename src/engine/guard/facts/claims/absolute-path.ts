import path from "node:path";
import type { ShellContext } from "../../commands/invocation.ts";

/** Returns the absolute path that a text stands for in a folder; null where that is not known. */
export function placeOf(text: string, folder: string | null): string | null {
  if (text.includes("\0")) return null;
  const isWindows = path.sep === "\\";
  // Shells of Windows have roots of their own: `/c/Users`, `/tmp`.
  if (isWindows && /^[\\/]/u.test(text)) return null;
  if (path.isAbsolute(text)) return path.normalize(text);
  if (isWindows && /^[A-Za-z]:/u.test(text)) return null;
  return folder === null || !path.isAbsolute(folder) ? null : path.resolve(folder, text);
}

/** Whether a path is a folder or in it. */
export function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}

/** Folders with files that come and go without a call, and that the agent's programs may see differently. */
export function isFleeting(file: string, { temporary, project }: ShellContext): boolean {
  if (project !== null && isWithin(file, project)) return false;
  return [temporary, "/tmp", "/dev", "/proc", "/sys", "/run", "/var/run"].some((folder) =>
    isWithin(file, folder),
  );
}
