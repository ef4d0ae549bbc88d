import { existsSync } from "node:fs";
import path from "node:path";
import type { RunFolders } from "./driver.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Variables that programs need to be found, to run, and to reach the network through a proxy. */
const common =
  /^(?:PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PROGRAMDATA|PROGRAMFILES|LANG|LC_ALL|LC_CTYPE|SHELL|USER|LOGNAME|USERNAME|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/iu;

/** The variable that marks a run's processes, so that they are found even outside the agent's process group. */
export const markName = "PURSER_BENCH_RUN";

/** Folders of toolchains that are below the user's home by default: with a home of its own, a run would lack them. */
const toolFolders: Readonly<Record<string, string>> = {
  CARGO_HOME: ".cargo",
  RUSTUP_HOME: ".rustup",
  GOMODCACHE: "go/pkg/mod",
  GOCACHE: process.platform === "darwin" ? "Library/Caches/go-build" : ".cache/go-build",
  PYTHONUSERBASE: ".local",
};

/**
 * Go's caches are passed on even before their first use: without one, each run would compile the standard library anew, which takes
 * minutes. Go makes them there by itself.
 */
const madeByTools = new Set(["GOCACHE", "GOMODCACHE"]);

/** The user's toolchains, for a program with another home. Their caches are keyed by content. */
export function toolVariables(env: Env): Record<string, string> {
  const home = env["HOME"] ?? "";
  return Object.fromEntries(
    Object.entries(toolFolders).flatMap(([name, folder]) => {
      const value = env[name] ?? (home === "" ? "" : path.join(home, folder));
      // In a home that is not there, no tool makes anything.
      const isUsable = existsSync(value) || (madeByTools.has(name) && existsSync(home));
      return value !== "" && isUsable ? [[name, value] as const] : [];
    }),
  );
}

/**
 * Returns the environment of a run's agent: from the user's, only the variables named here, plus home and temporary folders of the run's own.
 *
 * @param isAlsoKept whether the agent itself needs a variable, for example to identify its user
 */
export function agentEnvironment(
  env: Env,
  { home, temporary }: RunFolders,
  mark: string,
  isAlsoKept: (name: string) => boolean,
) {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (common.test(name) || isAlsoKept(name)) ? [[name, value] as const] : [],
  );
  return {
    ...toolVariables(env),
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    NO_COLOR: "1",
    CI: "1",
    [markName]: mark,
  };
}
