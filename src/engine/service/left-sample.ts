import { lstatSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { isOwn } from "../base/private-files.ts";
import { statsOf, readSmallText } from "../base/files.ts";
import { rethrowUnlessSystemError } from "../base/result.ts";
import { ownerSchema, stateOf } from "../base/lock.ts";
import { readJson } from "../base/parse.ts";
import type { Machine } from "../base/process.ts";
import type { Clock } from "../base/timing.ts";
import type { Service } from "./service.ts";

/** In a sample's folder. It names the window's process, and its modification time shows that it lives. */
export const sampleOwnerFile = "owner.json";
/** A folder without an owner is being created, or was left by a killed process. Milliseconds. */
const maxMakingMs = 60_000;
const maxOwnerSize = 4096; // bytes
/** Milliseconds. */
const lookInterval = 2000;

export interface SamplePorts {
  readonly machine: Machine;
  readonly clock: Clock;
}

/** A link, or another user's folder, is never followed nor removed. */
export function isSampleLeft(folder: string, { machine, clock }: SamplePorts): boolean {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true || !isOwn(found)) return false;
    const file = path.join(folder, sampleOwnerFile);
    const owner = readJson(ownerSchema, readSmallText(file, maxOwnerSize));
    if (owner === null) return clock.now() - found.mtimeMs > maxMakingMs;
    return stateOf(owner, machine, clock.now() - (statsOf(file)?.mtimeMs ?? 0)) === "gone";
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}

/** Retries, since a service that is ending may still write. */
export async function removeSample(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch (error) {
    // A file in it is still held open: the next start of a sample tries again.
    rethrowUnlessSystemError(error);
  }
}

/** Until its window ends or is killed. Then removes its folder. */
export async function serveSample(
  folder: string,
  service: Pick<Service, "clients" | "stop" | "stopped">,
  ports: SamplePorts,
): Promise<void> {
  const looking = setInterval(() => {
    // A window that is connected lives, however long it showed no sign of it: its machine may have slept.
    if (service.clients === 0 && isSampleLeft(folder, ports)) void service.stop("idle");
  }, lookInterval);
  await service.stopped;
  clearInterval(looking);
  if (isSampleLeft(folder, ports)) await removeSample(folder);
}
