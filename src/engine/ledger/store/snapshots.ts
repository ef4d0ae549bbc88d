import path from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { isLeftover, moveInto, temporaryBeside, writeAtomically } from "../../base/disk/atomic-file.ts";
import { errorCode } from "../../base/error-code.ts";
import type { RandomFile, RandomFiles } from "../../base/disk/random-file.ts";
import { numberIn, textIn } from "./cell.ts";
import type { Database, SqlEngine } from "./database.ts";
import { FilePages } from "../pages/in-file.ts";
import { PagedFile } from "../pages/paged-file.ts";
import { pagedDatabase } from "../pages/paged-database.ts";
import { readAll } from "../pages/write.ts";
import { rebuild } from "./rebuild.ts";

export interface StorePorts {
  readonly files: RandomFiles;
  readonly engine: SqlEngine;
  /** A word that nobody uses twice, for names of temporary files and of files set aside. */
  readonly unique: () => string;
}

/** A snapshot that was found good. What is changed in its database stays in memory. */
export interface LoadedSnapshot {
  readonly db: Database;
  readonly pages: PagedFile;
  readonly file: RandomFile;
  readonly path: string;
  /** The number of the last entry in it. */
  readonly applied: number;
  readonly bytes: number;
}

/** A snapshot that is not what was written, or cannot be read. */
export interface SnapshotFault {
  readonly path: string;
  /** The system's error code, or `damaged`. */
  readonly reason: string;
}

interface FoundSnapshot {
  readonly snapshot: LoadedSnapshot | null;
  /** It is the one in use, not the previous one. */
  readonly isCurrent: boolean;
  readonly faults: readonly SnapshotFault[];
}

/** Hands on all bytes of a snapshot, one piece after the other. */
export type SnapshotContent = (
  write: (piece: Uint8Array, position: number) => Promise<void>,
) => Promise<{ readonly sum: number; readonly bytes: number }>;

const sumsFile = z.object({
  sums: z.array(z.object({ applied: z.int(), bytes: z.int(), crc32: z.int() })),
});
type Sum = z.infer<typeof sumsFile>["sums"][number];

/** More than there can be snapshots: each start that dies while it makes one leaves a sum of none. */
const mostSums = 16;

/**
 * The snapshot: a whole copy of the working file, which is never changed, but replaced by the next. Should one of the two be damaged, the
 * other and the journal since the snapshot make it again. Whoever else reads the ledger reads the snapshot.
 */
export class SnapshotStore {
  readonly #folder: string;
  readonly #ports: StorePorts;
  readonly current: string;
  /** Versions before the working file kept two snapshots. */
  readonly previous: string;
  readonly #sumsPath: string;
  /** Of the snapshots on disk and of some that never got their name, the present one's first. */
  #sums: readonly Sum[] = [];

  constructor(folder: string, ports: StorePorts) {
    this.#folder = folder;
    this.#ports = ports;
    this.current = path.join(folder, "ledger.sqlite");
    this.previous = path.join(folder, "ledger.previous.sqlite");
    this.#sumsPath = path.join(folder, "ledger.sums.json");
  }

  /** The newest snapshot that is whole, or null when there is none. Changes nothing on disk. */
  async load(): Promise<FoundSnapshot> {
    const faults: SnapshotFault[] = [];
    const sums = await this.#rememberSums();
    for (const path of [this.current, this.previous]) {
      const found = await openSnapshot(path, sums, this.#ports);
      if (found === undefined) continue;
      if (!("reason" in found)) return { snapshot: found, isCurrent: path === this.current, faults };
      faults.push(found);
    }
    return { snapshot: null, isCurrent: false, faults };
  }

  /** The snapshots on disk that are not what was written. */
  async faults(): Promise<SnapshotFault[]> {
    const sums = await this.#readSums();
    const faults: SnapshotFault[] = [];
    for (const path of [this.current, this.previous]) {
      const found = await openSnapshot(path, sums, this.#ports);
      if (found === undefined) continue;
      if ("reason" in found) faults.push(found);
      else await closeSnapshot(found);
    }
    return faults;
  }

  /** What the present snapshot says of itself, without a look at all of it; null without one. */
  async about(): Promise<{ readonly applied: number; readonly bytes: number } | null> {
    await this.#rememberSums();
    const found = await openSnapshot(this.current, "trusted", this.#ports);
    if (found === undefined || "reason" in found) return null;
    await closeSnapshot(found);
    return { applied: found.applied, bytes: found.bytes };
  }

  async #rememberSums(): Promise<readonly Sum[] | null> {
    const sums = await this.#readSums();
    this.#sums = sums ?? [];
    return sums;
  }

  /** Null where there are none to be read: then the snapshots are looked through by SQLite itself, which sees less. */
  async #readSums(): Promise<readonly Sum[] | null> {
    try {
      const text = (await this.#ports.files.read(this.#sumsPath)).toString("utf8");
      return sumsFile.safeParse(JSON.parse(text)).data?.sums ?? null;
    } catch (error) {
      if (!(error instanceof SyntaxError)) errorCode(error);
      return null;
    }
  }

  /**
   * Makes a file that was written for it the snapshot, in place of the one there was.
   *
   * @throws the system's error; the snapshot is as it was then, and the file is gone.
   */
  async adopt({ temporary, sum, bytes }: WrittenSnapshot, applied: number): Promise<void> {
    const { files } = this.#ports;
    try {
      const own = { applied, bytes, crc32: sum };
      const all = [own, ...this.#sums.filter((each) => each.crc32 !== sum)].slice(0, mostSums);
      // Before the file gets its name: a snapshot whose sum nobody knows would count as damaged.
      await writeAtomically(this.#sumsPath, Buffer.from(JSON.stringify({ sums: all }, null, 1)), this.#ports);
      this.#sums = all;
    } catch (error) {
      await files.remove(temporary);
      throw error;
    }
    await moveInto(temporary, this.current, files);
    await files.remove(this.previous);
  }

  /** Gives what is damaged another name, which is answered: it is never written over. */
  async setAside({ path: file }: SnapshotFault): Promise<string> {
    const aside = file.replace(/\.sqlite$/u, `.damaged-${this.#ports.unique()}.sqlite`);
    await this.#ports.files.rename(file, aside);
    await this.#ports.files.flushFolder(this.#folder);
    return aside;
  }

  /** Copies a ledger aside before its schema changes, once a version. @param content of the file as it was found */
  async keepVersion(content: SnapshotContent, version: number): Promise<void> {
    const file = path.join(this.#folder, `ledger.schema-${version}.sqlite`);
    const names = await this.#ports.files.list(this.#folder);
    if (names.includes(path.basename(file))) return;
    const { temporary } = await writeSnapshot(file, content, this.#ports);
    await moveInto(temporary, file, this.#ports.files);
  }

  /** Removes what a killed process left of its writing. */
  async tidy(): Promise<void> {
    for (const name of await this.#ports.files.list(this.#folder))
      if (isLeftover(name) && name.includes("ledger"))
        await this.#ports.files.remove(path.join(this.#folder, name));
  }
}

/** A file that is to become a snapshot, flushed to the disk. */
export interface WrittenSnapshot {
  readonly temporary: string;
  /** The CRC-32 of all of it. */
  readonly sum: number;
  readonly bytes: number;
}

/** Writes a file beside the one it is to become. @throws the system's error, or what `content` throws; then it is gone */
export async function writeSnapshot(
  file: string,
  content: SnapshotContent,
  ports: Pick<StorePorts, "files" | "unique">,
): Promise<WrittenSnapshot> {
  return writeFresh(file, ports, (handle) => content((piece, position) => handle.write(piece, position)));
}

/** Writes a database anew into a file beside the one it is to become. */
export async function writeCompacted(
  file: string,
  db: Database,
  { engine, ...ports }: StorePorts,
): Promise<WrittenSnapshot> {
  return writeFresh(file, ports, async (handle) => {
    const fresh = pagedDatabase(engine, new FilePages(handle));
    await rebuild(db, fresh).finally(() => fresh.close());
    return contentOf(handle)(() => Promise.resolve());
  });
}

async function writeFresh(
  file: string,
  ports: Pick<StorePorts, "files" | "unique">,
  write: (handle: RandomFile) => Promise<Omit<WrittenSnapshot, "temporary">>,
): Promise<WrittenSnapshot> {
  const temporary = temporaryBeside(file, ports);
  const handle = await ports.files.open(temporary, "create");
  let isWhole = false;
  try {
    const written = await write(handle);
    await handle.flush();
    isWhole = true;
    return { temporary, ...written };
  } finally {
    await handle.close();
    if (!isWhole) await ports.files.remove(temporary);
  }
}

/** All bytes of a file that nobody changes. */
export function contentOf(file: RandomFile): SnapshotContent {
  return async (write) => {
    let [sum, bytes] = [0, 0];
    await readAll(file, null, async (piece, position) => {
      sum = crc32(piece, sum);
      bytes = position + piece.length;
      await write(piece, position);
    });
    return { sum, bytes };
  };
}

/**
 * Opens a file as a ledger; undefined when it is not there.
 *
 * @param sums those that a good one has; null looks through it as SQLite does
 */
export async function openSnapshot(
  path: string,
  sums: readonly Pick<Sum, "bytes" | "crc32">[] | null | "trusted",
  { files, engine }: Pick<StorePorts, "files" | "engine">,
): Promise<LoadedSnapshot | SnapshotFault | undefined> {
  let file: RandomFile;
  try {
    file = await files.open(path, "read");
  } catch (error) {
    const reason = errorCode(error);
    return reason === "ENOENT" ? undefined : { path, reason };
  }
  let opened: LoadedSnapshot | undefined;
  try {
    const isKnown = sums === null || sums === "trusted" ? sums !== null : await isOneOf(sums, file);
    const pages = new PagedFile(file);
    const isLedger = pages.count > 0 && (isKnown || sums === null);
    const read = isLedger ? readLedger(() => pagedDatabase(engine, pages), isKnown) : undefined;
    if (read !== undefined) opened = { ...read, pages, file, path, bytes: file.size() };
    return opened ?? { path, reason: "damaged" };
  } catch (error) {
    return { path, reason: errorCode(error) };
  } finally {
    if (opened === undefined) await file.close();
  }
}

async function isOneOf(sums: readonly Pick<Sum, "bytes" | "crc32">[], file: RandomFile): Promise<boolean> {
  const { sum, bytes } = await contentOf(file)(() => Promise.resolve());
  return sums.some((each) => each.bytes === bytes && each.crc32 === sum);
}

export async function closeSnapshot({ db, file }: Pick<LoadedSnapshot, "db" | "file">): Promise<void> {
  db.close();
  await file.close();
}

/** A database and the number of its last entry; undefined, and closed, when it is none of ours that is whole. */
export function readLedger(
  open: () => Database,
  isTrusted: boolean,
): { readonly db: Database; readonly applied: number } | undefined {
  let db: Database | undefined;
  try {
    db = open();
    if (!isTrusted && integrityFaults(db).length > 0) throw new Error("damaged");
    const applied = db.first("SELECT value FROM meta WHERE key = 'applied'", [], ([value]) =>
      numberIn(value),
    );
    if (applied === undefined) throw new Error("no number");
    return { db, applied };
  } catch {
    // SQLite tells in many ways that a file is not one of its own; none of them is of use to us.
    db?.close();
    return undefined;
  }
}

/** What SQLite finds wrong with a database, in its own words; empty when nothing. */
export function integrityFaults(db: Database): string[] {
  const faults = db
    .rows("PRAGMA integrity_check", [], ([text]) => textIn(text))
    .filter((text) => text !== "ok");
  const orphans = db.rows("PRAGMA foreign_key_check", [], ([table]) => textIn(table));
  return [...faults, ...orphans.map((table) => `a row of ${table} refers to none`)];
}
