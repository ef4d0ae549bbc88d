import path from "node:path";

export interface HomeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/** Paths of purser's own files. Every path below its folder is named here. */
export interface PurserPaths {
  readonly folder: string;
  /** How to reach the running service, if there is one. */
  readonly record: string;
  readonly log: string;
  /** Folder of the service's socket, if its path is short enough. */
  readonly sockets: string;
  /** Address of the hook server; see `hooks/server/address.ts`. */
  readonly hooks: string;
  /** Hook events from times without a running service. */
  readonly spool: string;
  /** Prompts that passed before a service could answer them, for a few minutes. */
  readonly prompts: string;
  /** Stored state of current sessions. */
  readonly sessions: string;
  /**
   * Records of what was installed in agents' settings, so that it can be removed; and the installations of
   * purser it may refer to.
   */
  readonly installedHooks: string;
  readonly installations: string;
  /** Settings for all agents by the user; and settings made in editor windows. */
  readonly settings: string;
  readonly windowSettings: string;
  /** The user's guard rules, exceptions, and what rules that come with purser do instead. */
  readonly guardRules: string;
  /** The folders with guard rules that may be read. */
  readonly trustedFolders: string;
  /** Originals of shortened outputs, and how often those of each command were requested. */
  readonly outputs: string;
  readonly outputUses: string;
  /** Spending of projects that purser's service may not write to. */
  readonly spending: string;
  /** Documents that hand a session's work over to another. */
  readonly handovers: string;
  /** The projects of folders, for those that are gone. */
  readonly projects: string;
  /** Recurring agents: their sessions, wakes that are not in the ledger yet, and what each has seen of its tasks. */
  readonly wakes: string;
  /** Benches, each in its own folder, and the installed dependencies of their fixtures. */
  readonly benches: string;
  readonly fixtures: string;
}

/**
 * Returns the paths below `PURSER_HOME`, or below `.purser` in the user's home. A relative path is below the user's home, since programs in
 * different folders must find the same one.
 */
export function purserPaths({ env, home }: HomeInput): PurserPaths {
  const configured = (env["PURSER_HOME"] ?? "").trim();
  const root = configured === "" ? path.join(home, ".purser") : configured.replace(/^~(?=$|[\\/])/u, home);
  const folder = path.resolve(home, root);
  return {
    folder,
    record: path.join(folder, "service.json"),
    log: path.join(folder, "service.log"),
    sockets: path.join(folder, "run"),
    hooks: path.join(folder, "hooks.json"),
    spool: path.join(folder, "spool"),
    prompts: path.join(folder, "prompts"),
    sessions: path.join(folder, "sessions"),
    installedHooks: path.join(folder, "installed-hooks"),
    installations: path.join(folder, "installations"),
    settings: path.join(folder, "settings.json"),
    windowSettings: path.join(folder, "window-settings.json"),
    guardRules: path.join(folder, "guard.yaml"),
    trustedFolders: path.join(folder, "trusted-folders.json"),
    outputs: path.join(folder, "outputs"),
    outputUses: path.join(folder, "output-uses.json"),
    spending: path.join(folder, "spending"),
    handovers: path.join(folder, "handovers"),
    projects: path.join(folder, "projects.json"),
    wakes: path.join(folder, "wakes"),
    benches: path.join(folder, "bench"),
    fixtures: path.join(folder, "fixture"),
  };
}
