import path from "node:path";
import type { ShellContext } from "../../commands/invocation.ts";

/** Returns the absolute path of a text in a folder; null if unknown. */
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

/** Whether a path is in a folder with files that come and go without a call, or that programs may see differently. */
export function isFleeting(file: string, { temporary, project }: ShellContext): boolean {
  if (project !== null && isWithin(file, project)) return false;
  return [temporary, "/tmp", "/dev", "/proc", "/sys", "/run", "/var/run"].some((folder) =>
    isWithin(file, folder),
  );
}

/** A path that a call reads. */
export interface PathClaim {
  readonly kind: "path";
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
  /** Folder that the call's paths are relative to; null if unknown. */
  readonly folder: string | null;
  /** The shell also looks for it in the `PATH`. */
  readonly isSearched: boolean;
}

/** A script of a `package.json` in a package manager's command. */
export interface ScriptClaim {
  readonly kind: "script";
  readonly manager: "npm" | "pnpm" | "yarn" | "bun";
  readonly name: string;
  readonly folder: string;
  /** Name or folder of the script's workspace; null for the package around the folder. */
  readonly workspace: string | null;
}

/** A target of a build file: of make, just or task. */
export interface TargetClaim {
  readonly kind: "target";
  readonly tool: "make" | "just" | "task";
  readonly name: string;
  readonly folder: string;
  /** The build file that the call names; null for the usual ones. */
  readonly file: string | null;
}

/** A branch, tag or other name of a commit, without what follows it such as `~2`. */
export interface RefClaim {
  readonly kind: "ref";
  readonly name: string;
  readonly folder: string;
  /** Git takes the name as a path if there is no such commit. */
  readonly mayBePath: boolean;
  /** Git creates the branch from a remote one if there is none. */
  readonly mayBeRemote: boolean;
}

/** A package that a call relies on. */
export interface PackageClaim {
  readonly kind: "package";
  readonly name: string;
  readonly ecosystem: "npm" | "cargo";
  /** The place with the manifest that should have it. */
  readonly folder: string;
  /** A file that imports it; null for a command that names it. */
  readonly importer: string | null;
}

/** A long option of a program. */
export interface FlagClaim {
  readonly kind: "flag";
  readonly program: string;
  /** For git: which of its commands. */
  readonly subcommand: string | null;
  readonly flag: string;
  readonly folder: string;
}

/** Names that a file imports from another file of the project. */
export interface ExportClaim {
  readonly kind: "export";
  readonly language: "javascript" | "python";
  readonly importer: string;
  /** The file as the import names it. */
  readonly source: string;
  readonly names: readonly string[];
}

/** The name of a test in a runner's command. */
export interface TestClaim {
  readonly kind: "test";
  readonly runner: "vitest" | "jest" | "pytest" | "go";
  readonly name: string;
  readonly folder: string;
  /** For pytest its file; for go its packages. */
  readonly places: readonly string[];
}

/** A thing that a call names, and that could be missing. */
export type Claim =
  PathClaim | ScriptClaim | TargetClaim | RefClaim | PackageClaim | FlagClaim | ExportClaim | TestClaim;
