import type { PurserPaths } from "../disk/home.ts";
import type { ServiceLog } from "../log.ts";
import type { Clock } from "../timing/clock.ts";
import type { Machine } from "./machine.ts";

/** The machine, as the service's process has it. */
export interface HostPorts {
  readonly home: PurserPaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
  readonly temporary: string;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly log: ServiceLog;
}
