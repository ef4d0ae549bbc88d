import { readFileSync } from "node:fs";
import type { ResourceLimits } from "node:worker_threads";
import type { PurserPaths } from "../disk/home.ts";
import type { ServiceLog } from "../log.ts";
import type { Clock } from "../timing.ts";
import type { Machine } from "./machine.ts";
import { parseJson } from "../parse.ts";

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

/** Returns the version in a manifest. */
export function versionIn(manifest: unknown): string {
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}

export function packageVersion(file: string): string {
  return versionIn(parseJson(readFileSync(file, "utf8")));
}

/** Memory limit of our threads, in MB: one that goes wrong dies and is restarted before the machine runs out of memory. */
const maxMemory = 512;

/** For a short-lived thread, with all the room for short-lived garbage. */
export const shortLimits: ResourceLimits = { maxOldGenerationSizeMb: maxMemory };

/** For a thread that lives all day. */
export const threadLimits: ResourceLimits = { ...shortLimits, maxYoungGenerationSizeMb: 8 };

/**
 * The folder of the sample that this service serves: `PURSER_SAMPLE`, or undefined. It is the user's home folder as far as the service knows,
 * and such a service runs no job.
 */
export function sampleFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = env["PURSER_SAMPLE"] ?? "";
  return folder === "" ? undefined : folder;
}
