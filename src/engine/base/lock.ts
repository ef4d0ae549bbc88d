import * as z from "zod/mini";
import path from "node:path";
import type { Machine, MachineId } from "./process/machine.ts";
import { setTimeout as pause } from "node:timers/promises";
import { readJson } from "./parse.ts";
import { type Result, succeed, fail, errorCode } from "./result.ts";
import type { FilePort } from "./disk/file-port.ts";
import { sentence } from "./language.ts";

/**
 * The owner of a lock or record in a folder: a process, identified so exactly that no other is mistaken for it.
 */
export const ownerSchema = z.object({
  pid: z.int().check(z.positive()),
  /** As reported by its system; null if unavailable. */
  startTime: z.nullable(z.string()),
  machine: z.object({ host: z.string(), boot: z.string(), processes: z.string() }),
});

export type LockOwner = z.infer<typeof ownerSchema>;

/** `elsewhere`: on another machine or in another container, with a recent sign of life. */
export type OwnerState = "alive" | "gone" | "elsewhere";

/** Interval of a holder's signs of life. Milliseconds. */
export const beatInterval = 5000;
/** A holder with a process that cannot be checked is gone after a longer silence. Milliseconds. */
const maxSilence = 30_000;

export function ownerOf(pid: number, machine: Machine): LockOwner {
  return { pid, startTime: machine.startOf(pid), machine: machine.id };
}

/** Whether a holder is this process of this machine. */
export function isOwn(owner: LockOwner, pid: number, machine: Machine): boolean {
  const own = ownerOf(pid, machine);
  return (
    owner.pid === own.pid &&
    owner.startTime === own.startTime &&
    compare(owner.machine, own.machine) === "same"
  );
}

/**
 * Returns the state of a holder. If its process can be distinguished from a later one with the same id, that
 * alone decides.
 * @param silence time since its last sign of life, milliseconds
 */
export function stateOf(owner: LockOwner, machine: Machine, silence: number): OwnerState {
  const isSilent = silence > maxSilence;
  const relation = compare(owner.machine, machine.id);
  if (relation === "restarted") return "gone";
  if (relation === "other") return isSilent ? "gone" : "elsewhere";
  if (!machine.isAlive(owner.pid)) return "gone";
  const start = machine.startOf(owner.pid);
  if (start !== null && owner.startTime !== null) return start === owner.startTime ? "alive" : "gone";
  return isSilent ? "gone" : "alive";
}

function compare(theirs: MachineId, ours: MachineId): "same" | "restarted" | "other" {
  if (theirs.host !== ours.host) return "other";
  if (theirs.boot !== ours.boot) return "restarted";
  return theirs.processes === ours.processes ? "same" : "other";
}

/** Content of a lock of earlier versions: one file, which its holder creates, touches and removes. */
const owner = z.object({ pid: z.int(), host: z.string() });

/** A holder with a process that cannot be checked is gone after a longer silence. Milliseconds. */
const silence = 60_000;

/**
 * Whether a process of an older version holds its lock, as may happen during an update. A file left by a killed process does
 * not count.
 *
 * @param silenceOf how long ago a file was written, milliseconds
 * @throws the system's error
 */
async function isHeldByOlder(
  file: string,
  silenceOf: (file: string) => Promise<number>,
  { files, machine }: { readonly files: FilePort; readonly machine: Machine },
): Promise<boolean> {
  let text: string;
  try {
    text = (await files.read(file)).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
  const held = readJson(owner, text);
  if (held?.host === machine.id.host && !machine.isAlive(held.pid)) return false;
  return (await silenceOf(file)) <= silence;
}

export interface LockPorts {
  readonly files: FilePort;
  /** Returns a word that no other process or call uses. */
  readonly unique: () => string;
  readonly pid: number;
  readonly machine: Machine;
}

export interface LockPaths {
  readonly folder: string;
  /** Name of the lock; part of the files' names. */
  readonly name: string;
  /** Name of the lock file used here by versions before this kind of lock, if any. */
  readonly older?: string;
}

/** Content of a lock file: its holder, or that the lock is free. */
const content = z.union([ownerSchema, z.object({ released: z.literal(true) })]);
const released = `{"released":true}`;

/**
 * A file is created and then written. If it stays empty for longer, its writer is dead; one that was only slow finds the next file, and has
 * not got the lock. Milliseconds.
 */
const maxWriteTime = 1000;
const lookAgain = 20;
/** A thread of this process that was silent for longer has died with the lock. Milliseconds. */
const maxOwnSilence = 60_000;

/**
 * Takes a free lock, which at most one of all processes sharing a folder can hold. Removing another's stale
 * lock can never be safe: between the check and the removal it may have become a live one. So nothing is
 * removed to take it. Every attempt creates a file with the next higher number, which the system lets only
 * one process create. The highest file is the lock, and a release writes into it that it is free. Only the
 * holder of the highest removes lower ones, and the creator of a file checks again whether it is the highest.
 * @throws the system's error if the folder cannot be read or written
 */
export async function takeLock(paths: LockPaths, ports: LockPorts): Promise<Result<HeldLock, "locked">> {
  const older = paths.older === undefined ? null : path.join(paths.folder, paths.older);
  if (older !== null && (await isHeldByOlder(older, (file) => silenceOf(file, ports), ports)))
    return fail("locked", sentence("{0} is held by an older version of purser", older));
  const top = await highest(paths, ports);
  if (top > 0 && (await isTaken(fileOf(top, paths), ports))) return await refused(top, paths, ports);
  const own = top + 1;
  if (!(await make(fileOf(own, paths), ports))) return await refused(own, paths, ports);
  const found = await generations(paths, ports);
  const newer = Math.max(...found);
  if (newer !== own) {
    await ports.files.remove(fileOf(own, paths));
    return await refused(newer, paths, ports);
  }
  for (const lower of found) if (lower < own) await ports.files.remove(fileOf(lower, paths));
  return succeed(new HeldLock(own, paths, ports));
}

/** Returns whether anybody holds the lock now. A folder that is missing has no lock. @throws the system's error */
export async function isLockHeld(paths: LockPaths, ports: LockPorts): Promise<boolean> {
  try {
    const top = await highest(paths, ports);
    return top > 0 && (await isTaken(fileOf(top, paths), ports));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Releases the lock of a dead thread of this process. As its process still lives, no other would take it. */
export async function freeLock(paths: LockPaths, ports: LockPorts): Promise<void> {
  const top = await highest(paths, ports);
  const held = await contentOf(fileOf(top, paths), ports);
  if (isLockOwner(held) && isOwn(held, ports.pid, ports.machine))
    await new HeldLock(top, paths, ports).release();
}

/** A lock held by this process. It regularly signals by itself that its holder lives. */
export class HeldLock {
  readonly #paths: LockPaths;
  readonly #generation: number;
  readonly #ports: LockPorts;
  readonly #timer: NodeJS.Timeout;
  #seenAt = performance.now();
  #isLost = false;

  constructor(generation: number, paths: LockPaths, ports: LockPorts) {
    this.#generation = generation;
    this.#paths = paths;
    this.#ports = ports;
    this.#timer = setInterval(() => void this.beat(), beatInterval);
    this.#timer.unref();
  }

  /**
   * Returns whether the lock is still held, read from the disk only after a silence: a process that was suspended for long may have
   * lost it.
   */
  async isHeld(): Promise<boolean> {
    const isRecent = performance.now() - this.#seenAt <= 3 * beatInterval;
    return isRecent ? !this.#isLost : await this.beat();
  }

  /** Signals that the holder lives; returns whether it still has the lock. */
  async beat(): Promise<boolean> {
    if (this.#isLost) {
      clearInterval(this.#timer);
      return false;
    }
    try {
      if ((await highest(this.#paths, this.#ports)) !== this.#generation) this.#isLost = true;
      else await this.#ports.files.touch(this.#file);
      this.#seenAt = performance.now();
    } catch (error) {
      // A disk that fails now is tried again at the next beat; the lock is lost only with its file.
      if (errorCode(error) === "ENOENT") this.#isLost = true;
    }
    return !this.#isLost;
  }

  /** The file stays, so that no number is ever used twice. @throws the system's error */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (!(await this.beat())) return;
    this.#isLost = true;
    const { files, pid, machine } = this.#ports;
    // As long as the text it replaces, so that a full disk has room for it.
    const text = released.padEnd(written(pid, machine).length);
    try {
      await files.overwrite(this.#file, Buffer.from(text));
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }

  get #file(): string {
    return fileOf(this.#generation, this.#paths);
  }
}

function fileOf(generation: number, { folder, name }: LockPaths): string {
  return path.join(folder, `${name}.${generation}.lock`);
}

async function generations({ folder, name }: LockPaths, { files }: LockPorts): Promise<number[]> {
  return (await files.list(folder)).flatMap((file) => {
    const [, own, number] = /^(.+)\.(\d{1,15})\.lock$/u.exec(file) ?? [];
    return own === name ? [Number(number)] : [];
  });
}

/** Returns 0 if there never was one. */
async function highest(paths: LockPaths, ports: LockPorts): Promise<number> {
  return Math.max(0, ...(await generations(paths, ports)));
}

async function make(file: string, { files, pid, machine }: LockPorts): Promise<boolean> {
  try {
    const handle = await files.create(file);
    try {
      await handle.write(Buffer.from(written(pid, machine)), 0);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function written(pid: number, machine: Machine): string {
  return JSON.stringify(ownerOf(pid, machine));
}

/** Waits for a holder that is not written yet. */
async function isTaken(file: string, ports: LockPorts): Promise<boolean> {
  const deadline = performance.now() + maxWriteTime;
  let found = await contentOf(file, ports);
  while (found === null && performance.now() < deadline && (await silenceOf(file, ports)) < maxWriteTime) {
    await pause(lookAgain);
    found = await contentOf(file, ports);
  }
  if (found === null) return false;
  if (found === "unknown") return true;
  if (!isLockOwner(found)) return false;
  const { pid, machine } = ports;
  if (isOwn(found, pid, machine)) return (await silenceOf(file, ports)) < maxOwnSilence;
  if (stateOf(found, machine, 0) === "gone") return false;
  if (stateOf(found, machine, Infinity) !== "gone") return true;
  return stateOf(found, machine, await silenceOf(file, ports)) !== "gone";
}

/**
 * Returns how long ago a file was written; 0 if it is gone. Measured by the file system's own clock: this machine's may have been
 * set.
 */
async function silenceOf(file: string, { files, unique }: LockPorts): Promise<number> {
  const probe = path.join(path.dirname(file), `.${path.basename(file)}.${unique()}.tmp`);
  try {
    await (await files.create(probe)).close();
    return (await files.modifiedAt(probe)) - (await files.modifiedAt(file));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  } finally {
    await files.remove(probe);
  }
}

async function refused(top: number, paths: LockPaths, ports: LockPorts): Promise<Result<never, "locked">> {
  const file = fileOf(top, paths);
  const found = await contentOf(file, ports);
  const who = isLockOwner(found)
    ? sentence("process {0} on {1}", found.pid, found.machine.host)
    : sentence("another process");
  return fail("locked", sentence("{0} is held by {who}", { 0: file, who: who }));
}

type Found = z.infer<typeof content> | null | "unknown";

/**
 * Returns null if the creator has not written the content yet; `unknown` if the file was just replaced by a higher one or is being
 * changed by the system.
 */
async function contentOf(file: string, { files }: LockPorts): Promise<Found> {
  try {
    const text = (await files.read(file)).toString("utf8");
    return readJson(content, text);
  } catch (error) {
    if (["ENOENT", "EBUSY", "EPERM", "EACCES"].includes(errorCode(error))) return "unknown";
    throw error;
  }
}

function isLockOwner(found: Found): found is LockOwner {
  return found !== null && found !== "unknown" && "pid" in found;
}
