import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { closeSync, openSync } from "node:fs";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { agentEnvironment, pick } from "../../sessions/agent-environment.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { compileCacheFolder, compileCacheVariable } from "../../base/process.ts";
import { readBuildStamp } from "../build-stamp.ts";
import { runtimeFlags, runtimeVariables } from "./runtime-flags.ts";
import { rotateLog } from "../../base/log.ts";
import { sentence, compose } from "../../base/language.ts";

export type LaunchFailure = "forbidden" | "failed";

export interface Launched {
  readonly ended: Promise<Result<void, LaunchFailure>>;
}

export type Launcher = () => Promise<Result<Launched, LaunchFailure>>;

export interface SpawnInput {
  readonly home: PurserPaths;
  readonly program: string;
  readonly execPath: string;
  readonly isElectron: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Replaces an older running service. */
  readonly isSuccessor?: boolean;
}

/** Marks a successor. */
export const successorArgument = "--successor";

/** In a separate process, which outlives this one. Its output goes to the log. */
export function spawnLauncher(input: SpawnInput): Launcher {
  return async () => {
    const { home, program, execPath } = input;
    let log: number;
    try {
      rotateLog(home.log);
      log = openSync(home.log, "a", 0o600);
    } catch (error) {
      return fail("failed", compose`${home.log}: ${errorCode(error)}`);
    }
    let child: ChildProcess;
    try {
      const flags = input.isSuccessor === true ? [successorArgument] : [];
      child = spawn(execPath, [...runtimeFlags, program, ...flags], {
        cwd: home.folder,
        env: { ...serviceEnvironment(input), ...runtimeVariables, ...compileCacheOf(input) },
        detached: true,
        stdio: ["ignore", log, log],
        windowsHide: true,
      });
    } catch (error) {
      // The system reports some refusals by throwing, others by an event.
      return fail("forbidden", compose`${execPath}: ${errorCode(error)}`);
    } finally {
      closeSync(log);
    }
    child.unref();
    const spawned = new Promise<Result<void, LaunchFailure>>((resolve) => {
      child.once("spawn", () => resolve(succeed(undefined)));
      child.once("error", (error) => resolve(fail("forbidden", compose`${execPath}: ${errorCode(error)}`)));
    });
    const ended = new Promise<Result<void, LaunchFailure>>((resolve) => {
      child.once("exit", (code) =>
        resolve(
          code === 0
            ? succeed(undefined)
            : fail("failed", sentence("it ended with {0}; see {1}", String(code), home.log)),
        ),
      );
    });
    const outcome = await spawned;
    return outcome.ok ? succeed({ ended }) : outcome;
  };
}

function compileCacheOf({ home, program }: SpawnInput): Record<string, string> {
  const build = readBuildStamp(path.dirname(program));
  return build === null ? {} : { [compileCacheVariable]: compileCacheFolder(home.compiled, build.hash) };
}

/** Drops keys, variables that attach a debugger, and those of the first terminal or window. */
export function serviceEnvironment({
  env,
  isElectron,
  userHome,
}: Pick<SpawnInput, "env" | "isElectron" | "userHome">): Record<string, string> {
  const wanted =
    /^(?:PATH|HOME|USER|LOGNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|SYSTEMROOT|WINDIR|TEMP|TMP|TMPDIR|LANG|LC_ALL|TZ|LD_LIBRARY_PATH|NIX_LD|NIX_LD_LIBRARY_PATH|XDG_(?:RUNTIME_DIR|CONFIG_HOME|DATA_HOME|STATE_HOME)|PURSER_[A-Z_]+|CLAUDE_CONFIG_DIR|CODEX_HOME|COPILOT_HOME|GEMINI_CLI_HOME)$/iu;
  const passed = { ...pick(env, (name) => wanted.test(name)), ...agentEnvironment(env) };
  const own = passed["HOME"] === undefined && passed["USERPROFILE"] === undefined ? { HOME: userHome } : {};
  return { ...passed, ...own, ...(isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}) };
}
