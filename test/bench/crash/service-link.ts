import { homedir } from "node:os";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { ensureService, type StarterPorts } from "../../../src/engine/service/ensure.ts";
import { spawnLauncher } from "../../../src/engine/service/launch/launch.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { ServiceLink } from "../../../src/extension/service/link.ts";

const pause = 10; // ms before the next attempt to find the service

/**
 * Ports with which these benchmark processes reach or start the service: through their environment, as a window does, but
 * never in a thread of their own, since killing the service would then kill the process.
 */
export function starterPorts(
  env: Readonly<Record<string, string | undefined>>,
  program: string,
): StarterPorts {
  const userHome = env["HOME"] ?? homedir();
  const home = purserPaths({ env, home: userHome });
  const { pid, execPath } = process;
  return {
    home,
    pid,
    machine: thisMachine(),
    clock: systemClock,
    version: "0.0.0",
    onProblem: () => undefined,
    launchers: [spawnLauncher({ home, program, execPath, isElectron: false, env, userHome })],
  };
}

/** A window's link to the service, which reconnects at once however often the service ends. */
export function hastyLink(program: string, claude: string): ServiceLink {
  const ports = starterPorts(process.env, program);
  const silent = () => undefined;
  return new ServiceLink({
    log: { info: silent, warn: silent, error: silent },
    pauses: [pause],
    longPause: pause,
    explain: ({ detail }) => ({ reason: detail.text, remedy: "retry" }),
    load: () =>
      Promise.resolve({
        connect: (signal) => ensureService({ ...ports, signal }),
        configuration: () => ({ roots: [{ agent: "claude-code", path: claude }], env: {}, folders: [] }),
        stop: () => Promise.resolve(),
      }),
  });
}
