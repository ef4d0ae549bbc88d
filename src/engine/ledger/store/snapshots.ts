import path from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod/mini";
import { isLeftover, moveInto, temporaryBeside, writeAtomically } from "../../base/files.ts";
import { errorCode, rethrowUnlessSystemError } from "../../base/result.ts";
import { type RandomFile, type RandomFiles, FilePages } from "../pages/random-file.ts";
import { numberIn, textIn } from "./cell.ts";
import { type Database, type SqlEngine, pagedDatabase } from "./database.ts";
import { PagedFile } from "../pages/paged-file.ts";
import { readAll } from "../pages/write.ts";
import { rebuild } from "./rebuild.ts";
import { readJson } from "../../base/parse.ts";

export interface StorePorts {
  readonly files: RandomFiles;
  readonly engine: SqlEngine;
  /** Returns a new unique word, for names of temporary files and of files set aside. */
  readonly unique: () => string;
}

/** A valid snapshot. Changes to its database stay in memory. */
export interface LoadedSnapshot {
  readonly db: Database;
  readonly pages: PagedFile;
  readonly file: RandomFile;
  readonly path: string;
  /** The number of its last entry. */
  readonly applied: number;
  readonly bytes: number;
}

/** A snapshot that is damaged or cannot be read. */
export interface SnapshotFault {
  readonly path: string;
  /** The system's error code, or `damaged`. */
  readonly reason: string;
}

interface FoundSnapshot {
  readonly snapshot: LoadedSnapshot | null;
  /** Whether it is the current snapshot rather than the previous one. */
  readonly isCurrent: boolean;
  readonly faults: readonly SnapshotFault[];
}

/** Writes all bytes of a snapshot, piece by piece. */
export type SnapshotContent = (
  write: (piece: Uint8Array, position: number) => Promise<void>,
) => Promise<{ readonly sum: number; readonly bytes: number }>;

const sumsFile = z.object({
  sums: z.array(z.object({ applied: z.int(), bytes: z.int(), crc32: z.int() })),
});
type Sum = z.infer<typeof sumsFile>["sums"][number];

/** More than the possible snapshots: each start that dies while making one leaves a sum without a snapshot. */
const maxSums = 16;

/**
 * The snapshot: a complete copy of the working file. It is never changed, only replaced by the next one. If one of the
 * two is damaged, it can be rebuilt from the other and the journal since the snapshot. Other processes read the ledger
 * from the snapshot.
 */
export class SnapshotStore {
  readonly #folder: string;
  readonly #ports: StorePorts;
  readonly current: string;
  /** Versions before the working file kept two snapshots. */
  readonly previous: string;
  readonly #sumsPath: string;
  /** Sums of the snapshots on disk and of some that never got their name, the current one's first. */
  #sums: readonly Sum[] = [];

  constructor(folder: string, ports: StorePorts) {
    this.#folder = folder;
    this.#ports = ports;
    this.current = path.join(folder, "ledger.sqlite");
    this.previous = path.join(folder, "ledger.previous.sqlite");
    this.#sumsPath = path.join(folder, "ledger.sums.json");
  }

  /** The newest undamaged snapshot, or null. Changes nothing on disk. */
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

  /** The damaged or unreadable snapshots on disk. */
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

  /** The current snapshot's last number and size, without checking its content; null without a snapshot. */
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

  /** Null if no sums can be read: then SQLite's own check replaces them, which finds less. */
  async #readSums(): Promise<readonly Sum[] | null> {
    try {
      const text = (await this.#ports.files.read(this.#sumsPath)).toString("utf8");
      return readJson(sumsFile, text)?.sums ?? null;
    } catch (error) {
      rethrowUnlessSystemError(error);
      return null;
    }
  }

  /**
   * Makes a newly written file the snapshot, replacing the old one.
   *
   * @throws the system's error; the old snapshot then stays, and the file is gone
   */
  async adopt({ temporary, sum, bytes }: WrittenSnapshot, applied: number): Promise<void> {
    const { files } = this.#ports;
    try {
      const own = { applied, bytes, crc32: sum };
      const all = [own, ...this.#sums.filter((each) => each.crc32 !== sum)].slice(0, maxSums);
      // Before the file gets its name: a snapshot without a known sum would count as damaged.
      await writeAtomically(this.#sumsPath, Buffer.from(JSON.stringify({ sums: all }, null, 1)), this.#ports);
      this.#sums = all;
    } catch (error) {
      await files.remove(temporary);
      throw error;
    }
    await moveInto(temporary, this.current, files);
    await files.remove(this.previous);
  }

  /** Renames a damaged file and returns the new name: damage is never overwritten. */
  async setAside({ path: file }: SnapshotFault): Promise<string> {
    const aside = file.replace(/\.sqlite$/u, `.damaged-${this.#ports.unique()}.sqlite`);
    await this.#ports.files.rename(file, aside);
    await this.#ports.files.flushFolder(this.#folder);
    return aside;
  }

  /** Copies a ledger aside before its schema changes, once per version. @param content of the file as found */
  async keepVersion(content: SnapshotContent, version: number): Promise<void> {
    const file = path.join(this.#folder, `ledger.schema-${version}.sqlite`);
    const names = await this.#ports.files.list(this.#folder);
    if (names.includes(path.basename(file))) return;
    const { temporary } = await writeSnapshot(file, content, this.#ports);
    await moveInto(temporary, file, this.#ports.files);
  }

  /** Removes temporary files of killed processes. */
  async tidy(): Promise<void> {
    for (const name of await this.#ports.files.list(this.#folder))
      if (isLeftover(name) && name.includes("ledger"))
        await this.#ports.files.remove(path.join(this.#folder, name));
  }
}

/** A file ready to become a snapshot, flushed to the disk. */
export interface WrittenSnapshot {
  readonly temporary: string;
  /** The CRC-32 of the whole file. */
  readonly sum: number;
  readonly bytes: number;
}

/** Writes a temporary file beside its target. @throws the system's error, or what `content` throws; the file is then gone */
export async function writeSnapshot(
  file: string,
  content: SnapshotContent,
  ports: Pick<StorePorts, "files" | "unique">,
): Promise<WrittenSnapshot> {
  return writeFresh(file, ports, (handle) => content((piece, position) => handle.write(piece, position)));
}

/** Writes a compacted copy of a database to a temporary file beside its target. */
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

/** All bytes of a file that no longer changes. */
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
 * Opens a file as a ledger; undefined if it does not exist.
 *
 * @param sums the sums of valid snapshots; with null SQLite checks the file, with "trusted" nothing is checked
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

/** A database and the number of its last entry; undefined, and closed, if it is not an intact ledger. */
export function readLedger(
  open: () => Database,
  isTrusted: boolean,
): { readonly db: Database; readonly applied: number } | undefined {
  let db: Database | undefined;
  try {
    db = open();
    if (!isTrusted && integrityFaults(db).length > 0) throw new Error("damaged");
    return { db, applied: appliedIn(db) };
  } catch {
    // SQLite reports in many ways that a file is not its own; the details do not help here.
    db?.close();
    return undefined;
  }
}

/** The faults SQLite finds in a database, in its own words; empty when there are none. */
export function integrityFaults(db: Database): string[] {
  const faults = db
    .rows("PRAGMA integrity_check", [], ([text]) => textIn(text))
    .filter((text) => text !== "ok");
  const orphans = db.rows("PRAGMA foreign_key_check", [], ([table]) => textIn(table));
  return [...faults, ...orphans.map((table) => `a row of ${table} refers to none`)];
}

/** The number of the last entry in a database. @throws for a database without one */
export function appliedIn(db: Database): number {
  const applied = db.first("SELECT value FROM meta WHERE key = 'applied'", [], ([value]) => numberIn(value));
  if (applied === undefined) throw new Error("no number");
  return applied;
}
