import path from "node:path";
import { crc32 } from "node:zlib";
import { moveInto, temporaryBeside, writeAtomically } from "../../base/files.ts";
import { rethrowUnlessSystemError, errorCode } from "../../base/result.ts";
import { type RandomFile, type RandomFiles } from "./random-file.ts";
import { pageSize, type Pages } from "../store/database.ts";
import { PagedFile } from "./paged-file.ts";
import { PageLog, type LoggedPages, openLog } from "./change-log.ts";
import { PageSums } from "./sums.ts";
import { readAll, writeAll, writeLogged } from "./write.ts";

export interface WorkingPorts {
  readonly files: RandomFiles;
  /** Returns a new unique word, for names of temporary files. */
  readonly unique: () => string;
}

/** An undamaged working file. */
export interface FoundWorking {
  readonly file: RandomFile;
  readonly sums: PageSums;
}

export interface CheckpointPorts {
  /** Runs its work when no transaction is in progress. */
  readonly between: <Value>(work: () => Value) => Promise<Value>;
  /** Whether this process is still the only writer. */
  readonly mayWrite: () => Promise<boolean>;
}

/** A page of the working file is damaged: the file must not be copied any more. */
export class DamagedPage extends Error {}

export function workingPaths(folder: string): { file: string; sums: string; log: string } {
  const named = (name: string) => path.join(folder, name);
  return {
    file: named("ledger.work.sqlite"),
    sums: named("ledger.work.sums"),
    log: named("ledger.work.log"),
  };
}

/**
 * The writer's own database file. A checkpoint updates it in three steps: the changes are written to a log and flushed,
 * then written into the file, then the log is removed. If a checkpoint is interrupted, the next opening (`findWorking`)
 * writes the log into the file again. Other processes read the snapshot, never this file. The sums of its pages show
 * whether it is undamaged.
 */
export class WorkingFile {
  #pages: PagedFile;
  readonly #ports: WorkingPorts;
  readonly #folder: string;
  readonly #paths: ReturnType<typeof workingPaths>;
  /** Null while the pages are those of a snapshot, or none: the first checkpoint then creates the file. */
  #found: FoundWorking | null;
  /** The snapshot's file, while the pages are the snapshot's. */
  #snapshot: RandomFile | null;

  /** @param from the working file or snapshot that holds these pages; null starts without any */
  constructor(
    pages: PagedFile,
    from: FoundWorking | RandomFile | null,
    { folder, ...ports }: WorkingPorts & { folder: string },
  ) {
    this.#pages = pages;
    const isFound = from !== null && "sums" in from;
    this.#found = isFound ? from : null;
    this.#snapshot = isFound ? null : from;
    this.#folder = folder;
    this.#ports = ports;
    this.#paths = workingPaths(folder);
  }

  get pages(): PagedFile {
    return this.#pages;
  }

  get path(): string {
    return this.#paths.file;
  }

  /** Approximate bytes that a checkpoint would write. */
  get pending(): number {
    return this.#pages.changed * pageSize;
  }

  /** Starts a log, so that changes do not accumulate in memory. */
  async begin(): Promise<void> {
    if (this.#pages.log === null) this.#pages.logTo(await this.#newLog());
  }

  /**
   * Updates the file. One call at a time.
   *
   * @returns whether it was updated: false if `mayWrite` returned false
   * @throws the system's error; the next checkpoint then writes these changes too
   */
  async checkpoint({ between, mayWrite }: CheckpointPorts): Promise<boolean> {
    await this.begin();
    const isCurrent = () => this.#pages.changed === 0 && this.#found !== null;
    if (await between(isCurrent)) return true;
    const next = await this.#newLog();
    const { log, view } = await between(() => this.#pages.freeze(next));
    let isLogged = false;
    let isDone = false;
    try {
      if (this.#found === null) isDone = await this.#make(view, mayWrite);
      else {
        await log.seal(this.#found.sums.generation + 1);
        if (await mayWrite()) {
          await this.#ports.files.rename(log.path, this.#paths.log);
          isLogged = true;
          await this.#ports.files.flushFolder(this.#folder);
          await this.#change(this.#found, log);
          isDone = true;
        }
      }
    } finally {
      if (isDone) this.#pages.settle(this.#found?.file);
      else this.#pages.thaw();
      await log.close();
      if (isDone) await this.#snapshot?.close();
      if (isDone) this.#snapshot = null;
      // A log already being written into the file stays: a part of its pages may be in there.
      if (!isLogged) await this.#ports.files.remove(log.path);
    }
    if (isLogged) await this.#ports.files.remove(this.#paths.log);
    return isDone;
  }

  /**
   * Copies the file as of the last checkpoint; no other checkpoint may run at the same time.
   *
   * @returns the CRC-32 of the whole file, and its bytes
   * @throws DamagedPage
   */
  async copy(
    write: (piece: Uint8Array, position: number) => Promise<void>,
  ): Promise<{ readonly sum: number; readonly bytes: number }> {
    if (this.#found === null) throw new Error("there is no working file before the first checkpoint");
    const { file, sums } = this.#found;
    let [sum, bytes] = [0, 0];
    const bad = await readAll(file, sums, async (piece, position) => {
      sum = crc32(piece, sum);
      bytes = position + piece.length;
      await write(piece, position);
    });
    if (bad !== null) throw new DamagedPage(`page ${bad} of ${this.path} is damaged`);
    return { sum, bytes };
  }

  /** The number of a damaged page, or null. */
  async damage(): Promise<number | null> {
    return this.#found === null ? null : readAll(this.#found.file, this.#found.sums);
  }

  /**
   * Continues from the pages of a snapshot, which hold everything. The working file is removed; the next checkpoint
   * creates another.
   *
   * @param swap receives the new pages; the previous ones are invalid once it returns
   */
  async restart(snapshot: string, swap: (pages: PagedFile) => void): Promise<void> {
    const { files } = this.#ports;
    const file = await files.open(snapshot, "read");
    const pages = new PagedFile(file);
    const [log, found, before] = [this.#pages.log, this.#found, this.#snapshot];
    this.#pages = pages;
    this.#found = null;
    this.#snapshot = file;
    swap(pages);
    await log?.close();
    for (const each of [found?.file, before]) await each?.close();
    // The file first: without its sums it would count as damaged.
    const left = [this.#paths.file, this.#paths.log, this.#paths.sums, ...(log === null ? [] : [log.path])];
    for (const path of left) await files.remove(path);
    await files.flushFolder(this.#folder);
    await this.begin();
  }

  /** Closes its files. Changes that were not part of a checkpoint are dropped. */
  async close(): Promise<void> {
    const { log } = this.#pages;
    for (const each of [log, this.#found?.file, this.#snapshot]) await each?.close();
    try {
      if (log !== null) await this.#ports.files.remove(log.path);
    } catch (error) {
      // The next start removes it.
      rethrowUnlessSystemError(error);
    }
  }

  async #make(view: Pick<Pages, "count" | "read">, mayWrite: () => Promise<boolean>): Promise<boolean> {
    const { files } = this.#ports;
    const temporary = temporaryBeside(this.#paths.file, this.#ports);
    const sums = new PageSums(1);
    const file = await files.open(temporary, "create");
    let isWhole = false;
    try {
      await writeAll(view, file, sums);
      await file.flush();
      isWhole = await mayWrite();
      // Before the file gets its name: without its sums it would count as damaged.
      if (isWhole) await writeAtomically(this.#paths.sums, sums.encoded(), this.#ports);
    } finally {
      await file.close();
      if (!isWhole) await files.remove(temporary);
    }
    if (!isWhole) return false;
    await moveInto(temporary, this.#paths.file, files);
    this.#found = { file: await files.open(this.#paths.file, "change"), sums };
    return true;
  }

  async #change(found: FoundWorking, log: PageLog): Promise<void> {
    await writeLogged(log, found.file);
    await found.file.flush();
    const sums = found.sums.after(sumsIn(log));
    await writeAtomically(this.#paths.sums, sums.encoded(), this.#ports);
    this.#found = { ...found, sums };
  }

  async #newLog(): Promise<PageLog> {
    const file = temporaryBeside(this.#paths.log, this.#ports);
    return new PageLog(file, await this.#ports.files.open(file, "create"));
  }
}

function sumsIn(log: LoggedPages): [page: number, sum: number][] {
  return log.pages().map((page) => [page, log.sumOf(page)]);
}

interface WorkingFault {
  readonly path: string;
  /** The system's error code, or `damaged`. */
  readonly reason: string;
}

/**
 * Opens the working file. First finishes an interrupted checkpoint by writing its log into the file. Checks every page
 * against its sum.
 *
 * @returns null if there is no working file
 * @throws the system's error, if a log cannot be written
 */
export async function findWorking(
  folder: string,
  ports: WorkingPorts,
): Promise<FoundWorking | WorkingFault | null> {
  const paths = workingPaths(folder);
  const fault = (reason: string): WorkingFault => ({ path: paths.file, reason });
  let file: RandomFile;
  try {
    file = await ports.files.open(paths.file, "change");
  } catch (error) {
    const reason = errorCode(error);
    return reason === "ENOENT" ? null : fault(reason);
  }
  let isGood = false;
  try {
    const known = await readSums(paths.sums, ports);
    if (known === null) return fault("damaged");
    const sums = await endCheckpoint({ folder, file, sums: known }, ports);
    isGood = (await readAll(file, sums)) === null;
    return isGood ? { file, sums } : fault("damaged");
  } finally {
    if (!isGood) await file.close();
  }
}

/** @returns the file's sums after that */
async function endCheckpoint(
  { folder, file, sums }: FoundWorking & { readonly folder: string },
  ports: WorkingPorts,
): Promise<PageSums> {
  const paths = workingPaths(folder);
  let held: RandomFile;
  try {
    held = await ports.files.open(paths.log, "read");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return sums;
    throw error;
  }
  let next = sums;
  try {
    const log = openLog(held);
    // A log of another generation was already written into the file, or belongs to an older file.
    if (log?.generation === sums.generation + 1) {
      await writeLogged(log, file);
      await file.flush();
      next = sums.after(sumsIn(log));
      await writeAtomically(paths.sums, next.encoded(), ports);
    }
  } finally {
    await held.close();
  }
  await ports.files.remove(paths.log);
  return next;
}

async function readSums(file: string, { files }: WorkingPorts): Promise<PageSums | null> {
  try {
    return PageSums.decoded(await files.read(file));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}
