import { randomUUID } from "node:crypto";
import { nodeFiles } from "../base/files.ts";
import { freeLock, takeLock, type HeldLock, type LockPorts } from "../base/lock.ts";
import type { Machine } from "../base/process.ts";
import type { Result } from "../base/result.ts";
import type { PurserPaths } from "../base/paths.ts";

/** `service`: held by the running service. `start`: held while starting one. */
type HomeLock = "service" | "start";

interface Locker {
  readonly home: PurserPaths;
  readonly pid: number;
  readonly machine: Machine;
}

/** Throws the system's error. */
export function takeHomeLock(name: HomeLock, locker: Locker): Promise<Result<HeldLock, "locked">> {
  return takeLock({ folder: locker.home.folder, name }, portsOf(locker));
}

/** A thread of this process held it when it died. */
export function freeHomeLock(name: HomeLock, locker: Locker): Promise<void> {
  return freeLock({ folder: locker.home.folder, name }, portsOf(locker));
}

function portsOf({ pid, machine }: Locker): LockPorts {
  return { files: nodeFiles, unique: randomUUID, pid, machine };
}
