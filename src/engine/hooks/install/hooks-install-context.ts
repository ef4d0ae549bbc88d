import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { readSmallText } from "../../base/files.ts";
import { type HomeInput, purserPaths, isSamePath } from "../../base/paths.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import type { FailureWish, InstallContext } from "./installer.ts";
import { nodeSettingsDisk } from "./settings/disk.ts";
import { isRequired } from "../../settings/guard.ts";
import type { HookServerAddress } from "../server/address.ts";

/** Larger settings files are rejected. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

export interface InstallInput extends HomeInput {
  /** Path of the service's program. The shim is in the same folder. */
  readonly program: string;
  readonly cwd: string | null;
  readonly posting: InstallContext["posting"];
  readonly onFailure?: FailureWish;
  readonly run: InstallContext["run"];
}

/** Returns whether hooks run or deny a call that could not be judged. Unreadable settings keep what is installed. */
export function onFailureOf({ now, problems }: Pick<SettingsStore, "now" | "problems">): FailureWish {
  if (isRequired(now())) return "closed";
  return problems().length > 0 ? "kept" : "open";
}

/**
 * Returns what installing hooks needs of the machine.
 * @param address the hook server's address; null while no service has answered hooks here
 */
export function installContext(
  { env, home, program, cwd, posting, onFailure = "open", run }: InstallInput,
  address: HookServerAddress | null,
): InstallContext {
  return {
    env,
    home,
    posting,
    onFailure,
    run,
    address,
    uid: process.getuid?.() ?? null,
    project: cwd === null ? null : projectOf(cwd, home),
    isSame: isSamePath,
    disk: nodeSettingsDisk,
    records: purserPaths({ env, home }).installedHooks,
    unique: randomUUID,
    platform: process.platform,
    readText: (file) => readSmallText(file, maxFileSize),
    list,
    // The agent looks up the runtime. Ours may be an editor's, or disappear with its next version.
    shim: {
      path: shimBeside(program),
      runtime: "node",
    },
    isInRepository: (folder) => repositoryOf(folder) !== undefined,
  };
}

/** Path of the shim. @param program path of the service's program */
export function shimBeside(program: string): string {
  return path.join(path.dirname(program), program.endsWith(".ts") ? "hook-shim.ts" : "hook.cjs");
}

/**
 * A worktree has its own settings, since agents look for them in the working folder. A version-controlled
 * home folder is not a project, but a folder in it is.
 */
function projectOf(cwd: string, home: string): string {
  const repository = repositoryOf(cwd) ?? cwd;
  return isSamePath(repository, home) ? cwd : repository;
}

/** The nearest folder with a repository, including the folder itself. */
function repositoryOf(folder: string): string | undefined {
  for (let each = folder; ; each = path.dirname(each)) {
    if (existsSync(path.join(each, ".git"))) return each;
    if (each === path.dirname(each)) return undefined;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}
