import path from "node:path";
import { systemClock } from "../../engine/base/timing.ts";
import { readBuildStamp } from "../../engine/service/build-stamp.ts";
import { agentEnvironment } from "../../engine/sessions/agent-environment.ts";
import { ensureService } from "../../engine/service/ensure.ts";
import { ServiceThread, spawnLauncher } from "../../engine/service/launch.ts";
import { thisMachine } from "../../engine/base/process.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import type { WindowSettings } from "../../engine/settings/shape.ts";
import { sessionRoots } from "../../engine/transcripts/agents.ts";
import { withEditor } from "./chat-facts.ts";
import type { ServiceAccess } from "./link.ts";

export interface AccessInput {
  /** Path of the service's program. */
  readonly program: string;
  /** The extension's version. */
  readonly version: string;
  readonly userHome: string;
  /** The folder in which this editor keeps its user's data, chats included; null where it is not on disk. */
  readonly userFolder: string | null;
  readonly pid: number;
  readonly execPath: string;
  readonly isElectron: boolean;
  /** The environment agents are probably started from, read when needed. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** This window's folders, read when needed. */
  readonly folders: () => readonly string[];
  /** The user's settings, read when needed. */
  readonly settings: () => WindowSettings;
  readonly onProblem: (message: string) => void;
}

/**
 * Chooses how a window reaches the service: in a separate process or, where that is forbidden, in a thread.
 */
export function serviceAccess(input: AccessInput): ServiceAccess {
  const { program, version, userHome, pid, execPath, isElectron, onProblem } = input;
  const home = purserPaths({ env: input.env(), home: userHome });
  const machine = thisMachine();
  const clock = systemClock;
  const env = input.env();
  const thread = new ServiceThread({ home, program, env, userHome, pid, machine, clock });
  return {
    connect: (signal) => {
      const spawn = spawnLauncher({ home, program, execPath, isElectron, env: input.env(), userHome });
      const launchers = [spawn, thread.launch];
      const build = () => readBuildStamp(path.dirname(program));
      return ensureService({ home, machine, clock, version, build, onProblem, pid, launchers, signal });
    },
    configuration: () => ({
      roots: withEditor(sessionRoots({ env: input.env(), home: userHome }), input.userFolder),
      env: agentEnvironment(input.env()),
      folders: [...input.folders()],
      settings: input.settings(),
    }),
    stop: () => thread.stop(),
  };
}
