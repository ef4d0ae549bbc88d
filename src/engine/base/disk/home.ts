import path from "node:path";

export interface HomeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/** Where purser keeps what is its own. Every place below it is named here. */
export interface PurserHome {
  readonly folder: string;
  /** How to reach the service that runs, if one does. */
  readonly record: string;
  readonly log: string;
  /** Where its socket is, if the path is short enough. */
  readonly sockets: string;
  /** Where hooks are answered; see `hooks/server/address.ts`. */
  readonly hooks: string;
  /** What hooks told while no service ran. */
  readonly spool: string;
  /** What is remembered of sessions while they go on. */
  readonly sessions: string;
  /** What was put into agents' settings, so that it can be taken out; and the pursers that it may lead to. */
  readonly installedHooks: string;
  readonly installations: string;
  /** What the user sets for all agents; and what the users of windows set in their editors. */
  readonly settings: string;
  readonly windowSettings: string;
  /** Benches, each in a folder of its own; and what their projects depend on. */
  readonly benches: string;
  readonly fixtures: string;
}

/** `PURSER_HOME`, or `.purser` in the user's home. */
export function purserHome({ env, home }: HomeInput): PurserHome {
  const told = (env["PURSER_HOME"] ?? "").trim();
  const place = told === "" ? path.join(home, ".purser") : told.replace(/^~(?=$|[\\/])/u, home);
  const folder = path.resolve(place);
  return {
    folder,
    record: path.join(folder, "service.json"),
    log: path.join(folder, "service.log"),
    sockets: path.join(folder, "run"),
    hooks: path.join(folder, "hooks.json"),
    spool: path.join(folder, "spool"),
    sessions: path.join(folder, "sessions"),
    installedHooks: path.join(folder, "installed-hooks"),
    installations: path.join(folder, "installations"),
    settings: path.join(folder, "settings.json"),
    windowSettings: path.join(folder, "window-settings.json"),
    benches: path.join(folder, "bench"),
    fixtures: path.join(folder, "fixture"),
  };
}
