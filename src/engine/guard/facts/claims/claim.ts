/** A path that a call reads. */
export interface PathClaim {
  readonly kind: "path";
  /** Absolute. */
  readonly path: string;
  /** The path as the call has it. */
  readonly shown: string;
  /** Folder that the call's own paths are relative to; null where none is known. */
  readonly folder: string | null;
  /** The shell looks for it in the `PATH`, too. */
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
  /** Where git finds no commit of this name, it takes it as a path. */
  readonly mayBePath: boolean;
  /** Where git finds no branch of this name, it makes one of a remote's branch. */
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

/** Names that a file takes from another file of the project. */
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
