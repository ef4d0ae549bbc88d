import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { errorCode } from "./error-code.ts";
import type { FilePort } from "./file-port.ts";
import { fail, succeed, type Result } from "./result.ts";

export interface LockPorts {
  readonly files: FilePort;
  readonly unique: () => string;
  readonly pid: number;
  /** Containers that share a home have names of their own: a pid means nothing to another. */
  readonly host: string;
  readonly isAlive: (pid: number) => boolean;
}

const owner = z.object({ pid: z.int(), host: z.string(), token: z.string() });
type Owner = z.infer<typeof owner>;

/** Milliseconds. A holder says this often that it lives … */
const heartbeat = 10_000;
/** … and one that was silent this long is gone, if its pid cannot be asked. */
const silence = 60_000;
/** Milliseconds; far longer than it takes to move a file. */
const settling = 50;
/** Another process may make or take the lock at the same moment; then it is looked at again. */
const attempts = 5;

/**
 * Takes a lock that only one process of those sharing a folder holds. A lock left by a process that died is taken over:
 * at once where the process can be asked for, else (another machine, another container, a reused pid) after a minute of
 * silence.
 *
 * @throws the system's error when the folder cannot be written.
 */
export async function takeLock(file: string, ports: LockPorts): Promise<Result<LockFile, "locked">> {
  const own: Owner = { pid: ports.pid, host: ports.host, token: ports.unique() };
  let held: Owner | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await made(file, own, ports)) && (attempt === 0 || (await isStillOurs(file, own, ports.files))))
      return succeed(new LockFile(file, own.token, ports));
    held = await readOwner(file, ports.files);
    if (!(await isStale(file, held, ports))) break;
    await setAside(file, held, ports);
  }
  const who = held === undefined ? "another process" : `process ${held.pid} on ${held.host}`;
  return fail("locked", `${file} is held by ${who}`);
}

async function made(file: string, own: Owner, { files }: LockPorts): Promise<boolean> {
  try {
    const handle = await files.create(file);
    await handle.write(Buffer.from(JSON.stringify(own)), 0).finally(() => handle.close());
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Of several who take over at once, one may have moved another's new lock by mistake: a moment later it shows. */
async function isStillOurs(file: string, own: Owner, files: FilePort): Promise<boolean> {
  await sleep(settling);
  return (await readOwner(file, files))?.token === own.token;
}

async function readOwner(file: string, files: FilePort): Promise<Owner | undefined> {
  try {
    const text = (await files.read(file)).toString("utf8");
    return owner.safeParse(JSON.parse(text)).data;
  } catch (error) {
    // Its maker has not written yet, was killed before it did, or the lock is gone: its age decides.
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function isStale(file: string, held: Owner | undefined, ports: LockPorts): Promise<boolean> {
  if (held?.host === ports.host && !ports.isAlive(held.pid)) return true;
  // Both times by the file system's own clock: this machine's may have been set back.
  const probe = path.join(path.dirname(file), `.${path.basename(file)}.${ports.unique()}.tmp`);
  try {
    await (await ports.files.create(probe)).close();
    const now = await ports.files.modifiedAt(probe);
    return now - (await ports.files.modifiedAt(file)) > silence;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  } finally {
    await ports.files.remove(probe);
  }
}

/** Whoever renames it first has it; if what was renamed is somebody's newer lock, it is given back. */
async function setAside(file: string, stale: Owner | undefined, { files, unique }: LockPorts): Promise<void> {
  const aside = path.join(path.dirname(file), `.${path.basename(file)}.${unique()}.tmp`);
  try {
    await files.rename(file, aside);
    const moved = await readOwner(aside, files);
    if (moved?.token !== stale?.token) await files.link(aside, file);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(errorCode(error))) throw error;
  } finally {
    await files.remove(aside);
  }
}

/** A lock that was taken. */
export class LockFile {
  readonly #file: string;
  readonly #token: string;
  readonly #ports: LockPorts;
  readonly #timer: NodeJS.Timeout;
  #seenAt: number;
  #lost = false;

  constructor(file: string, token: string, ports: LockPorts) {
    this.#file = file;
    this.#token = token;
    this.#ports = ports;
    this.#seenAt = performance.now();
    this.#timer = setInterval(() => void this.#beat(), heartbeat);
    this.#timer.unref();
  }

  /** Whether it is still ours. The file is read only after a silence in which another may have taken it: a process may be stopped. */
  async isHeld(): Promise<boolean> {
    if (!this.#lost && performance.now() - this.#seenAt > silence / 2) await this.#beat();
    return !this.#lost;
  }

  /** Lets it go. Only our own lock is removed. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look();
    if (!this.#lost) await this.#ports.files.remove(this.#file);
    this.#lost = true;
  }

  async #beat(): Promise<void> {
    try {
      await this.#look();
      if (this.#lost) return;
      await this.#ports.files.touch(this.#file);
      this.#seenAt = performance.now();
    } catch (error) {
      // A disk that does not answer now is asked again; the lock is lost only when another has it.
      errorCode(error);
    }
  }

  async #look(): Promise<void> {
    const held = await readOwner(this.#file, this.#ports.files);
    if (held?.token !== this.#token) this.#lost = true;
  }
}
