import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { holderOf, holderSchema, isOwn, stateOf } from "./holder.ts";
import type { Machine } from "./machine.ts";
import { writePrivateFile } from "./private-place.ts";

export interface LockPorts {
  readonly folder: string;
  /** What is locked; part of the files' names. */
  readonly name: string;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** What a lock file holds: who has the lock, or that nobody has. */
const content = z.union([holderSchema, z.object({ released: z.literal(true) })]);

/** A file is made and then written; one that stays empty for longer lost its maker. Milliseconds. */
const longestWriting = 5000;

/**
 * Takes a lock that at most one process of all that share a folder has, if nobody has it.
 *
 * Removing another's stale lock can never be made safe: between looking and removing it may have become somebody's live
 * one. So nothing is removed to take it. Every taking makes a file of the next higher number, which the system lets only
 * one process make; the highest file is the lock, and letting go writes into it that it is free. Only who has the highest
 * removes lower ones, and who made a file looks once more whether it is the highest.
 *
 * @throws the system's error when the folder cannot be written
 */
export function takeLock(ports: LockPorts): Result<HeldLock, "held"> {
  const top = highest(ports);
  if (top > 0 && isTaken(top, ports)) return fail("held", describe(top, ports));
  const own = top + 1;
  if (!make(own, ports)) return fail("held", describe(own, ports));
  if (highest(ports) !== own) {
    rmSync(fileOf(own, ports), { force: true });
    return fail("held", describe(highest(ports), ports));
  }
  for (const lower of generations(ports)) if (lower < own) rmSync(fileOf(lower, ports), { force: true });
  return succeed(new HeldLock(own, ports));
}

/** Lets go of the lock that a thread of this process had when it died: its process lives, so nobody else would. */
export function freeLock(ports: LockPorts): void {
  const top = highest(ports);
  const held = look(top, ports)?.content;
  if (held !== undefined && !("released" in held) && isOwn(held, ports.pid, ports.machine))
    new HeldLock(top, ports).release();
}

/** A lock that was taken. */
export class HeldLock {
  readonly #generation: number;
  readonly #ports: LockPorts;

  constructor(generation: number, ports: LockPorts) {
    this.#generation = generation;
    this.#ports = ports;
  }

  /** Says that its holder lives; answers whether it still has the lock. Who was stopped for long may have lost it. */
  beat(): boolean {
    const now = this.#ports.clock.now() / 1000;
    try {
      if (highest(this.#ports) !== this.#generation) return false;
      utimesSync(fileOf(this.#generation, this.#ports), now, now);
      return true;
    } catch (error) {
      return errorCode(error) !== "ENOENT";
    }
  }

  /** Lets it go; the file stays, so that no number is ever used twice. */
  release(): void {
    if (this.beat()) writePrivateFile(fileOf(this.#generation, this.#ports), `{"released":true}`);
  }
}

function fileOf(generation: number, { folder, name }: LockPorts): string {
  return path.join(folder, `${name}.${generation}.lock`);
}

function generations({ folder, name }: LockPorts): number[] {
  return readdirSync(folder).flatMap((file) => {
    const [, own, number] = /^(.+)\.(\d{1,15})\.lock$/u.exec(file) ?? [];
    return own === name ? [Number(number)] : [];
  });
}

/** 0 when there never was one. */
function highest(ports: LockPorts): number {
  return Math.max(0, ...generations(ports));
}

function make(generation: number, ports: LockPorts): boolean {
  let handle: number;
  try {
    handle = openSync(fileOf(generation, ports), "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(handle, JSON.stringify(holderOf(ports.pid, ports.machine)));
  } finally {
    closeSync(handle);
  }
  return true;
}

function isTaken(generation: number, ports: LockPorts): boolean {
  const found = look(generation, ports);
  if (found === undefined) return true;
  const silence = ports.clock.now() - found.changedAt;
  if (found.content === undefined) return silence < longestWriting;
  return !("released" in found.content) && stateOf(found.content, ports.machine, silence) !== "gone";
}

function describe(generation: number, ports: LockPorts): string {
  const found = look(generation, ports)?.content;
  if (found === undefined || "released" in found) return "another process is just taking it";
  return `process ${found.pid} on ${found.machine.host} has it`;
}

interface Look {
  readonly content: z.infer<typeof content> | undefined;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Undefined when a higher one has just replaced it. */
function look(generation: number, ports: LockPorts): Look | undefined {
  const file = fileOf(generation, ports);
  try {
    const { mtimeMs } = statSync(file);
    return { content: parse(readFileSync(file, "utf8")), changedAt: mtimeMs };
  } catch (error) {
    errorCode(error);
    return undefined;
  }
}

function parse(text: string): z.infer<typeof content> | undefined {
  try {
    return content.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
