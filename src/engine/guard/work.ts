/** The work that commands do, and what a session should have checked. */
export { reportsFailure, type CheckKind } from "./verification/check-outcome.ts";
export { checksNotRun, type VerificationDebt } from "./verification/debt.ts";
export { namedChecks, namedFiles, type ProjectCheck } from "./verification/project-checks.ts";
export { readCommand } from "./work/read-command.ts";

/** The phases of a session's work, from its beginning to the end of its context. */
export const phases = ["Warmup", "Productive", "Exploring", "Struggling", "Late"] as const;
export type Phase = (typeof phases)[number];

/** Folders that contain a project's parts and do not identify them. A part's code and its tests are one place. */
const containers =
  /^(?:src|source|sources|lib|libs|app|apps|packages|modules|crates|cmd|internal|pkg|test|tests|spec|specs|__tests__|main|java|kotlin)$/iu;

/**
 * Returns a file's part of a project: the first two folders that identify it. Null for a file of no part, such as one at
 * the top. @param root the project's folder; null where unknown
 */
export function subsystemOf(file: string, root: string | null): string | null {
  const inside = placeIn(file, root);
  if (inside === null) return "outside";
  const folders = inside
    .split("/")
    .slice(0, -1)
    .filter((part) => part !== "" && part !== ".");
  while (folders[0] !== undefined && containers.test(folders[0])) folders.shift();
  return folders.length === 0 ? null : folders.slice(0, 2).join("/");
}

/** Returns a file's path below the project's folder, with slashes; null for a file elsewhere. */
export function placeIn(file: string, root: string | null): string | null {
  const path = slashed(file);
  if (!/^(?:\/|[A-Za-z]:\/)/u.test(path)) return path.startsWith("../") ? null : path;
  if (root === null) return null;
  const folder = `${slashed(root).replace(/(?<!\/)\/+$/u, "")}/`;
  const isWindows = /^[A-Za-z]:/u.test(folder);
  const begins = isWindows ? path.toLowerCase().startsWith(folder.toLowerCase()) : path.startsWith(folder);
  return begins ? path.slice(folder.length) : null;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
