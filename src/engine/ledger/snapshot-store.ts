import path from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { isLeftover, moveInto, writeAtomically, writeBeside } from "../base/atomic-file.ts";
import { errorCode } from "../base/error-code.ts";
import type { FilePort } from "../base/file-port.ts";
import { numberIn, textIn } from "./cell.ts";
import { Database, type SqlEngine } from "./database.ts";

export interface StorePorts {
  readonly files: FilePort;
  readonly engine: SqlEngine;
  /** A word that nobody uses twice, for names of temporary files and of files set aside. */
  readonly unique: () => string;
}

/** A snapshot that was found good. */
interface LoadedSnapshot {
  readonly db: Database;
  /** The number of the last entry in it. */
  readonly applied: number;
  readonly bytes: Uint8Array;
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

const sumsFile = z.object({
  sums: z.array(z.object({ applied: z.int(), bytes: z.int(), crc32: z.int() })),
});
type Sum = z.infer<typeof sumsFile>["sums"][number];

/** More than there can be snapshots: each start that dies while it makes one leaves a sum of none. */
const mostSums = 16;

/** The snapshot in use, and the one before it: should one be damaged, the other and the journal since make it again. */
export class SnapshotStore {
  readonly #folder: string;
  readonly #ports: StorePorts;
  readonly current: string;
  readonly previous: string;
  readonly #sumsPath: string;
  /** Of the snapshots on disk and of some that never got their name, the present one's first. */
  #sums: readonly Sum[] = [];
  /** The number of the present snapshot's last entry, or 0 without one. */
  #applied = 0;

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
    const sums = await this.#readSums();
    this.#sums = sums ?? [];
    for (const file of [this.current, this.previous]) {
      const found = await this.#loadOne(file, sums);
      if (found === undefined) continue;
      if (!("reason" in found)) {
        this.#remember(sumOf(found.bytes, found.applied));
        if (file === this.current) this.#applied = found.applied;
        return { snapshot: found, isCurrent: file === this.current, faults };
      }
      faults.push(found);
    }
    return { snapshot: null, isCurrent: false, faults };
  }

  /** The snapshots on disk that are not what was written. */
  async faults(): Promise<SnapshotFault[]> {
    const sums = await this.#readSums();
    const faults: SnapshotFault[] = [];
    for (const file of [this.current, this.previous]) {
      const found = await this.#loadOne(file, sums);
      if (found === undefined) continue;
      if ("reason" in found) faults.push(found);
      else found.db.close();
    }
    return faults;
  }

  async #loadOne(
    file: string,
    sums: readonly Sum[] | null,
  ): Promise<LoadedSnapshot | SnapshotFault | undefined> {
    let bytes: Buffer;
    try {
      bytes = await this.#ports.files.read(file);
    } catch (error) {
      const reason = errorCode(error);
      return reason === "ENOENT" ? undefined : { path: file, reason };
    }
    const isKnown = sums?.some((sum) => sum.bytes === bytes.length && sum.crc32 === crc32(bytes)) ?? null;
    if (isKnown === false) return { path: file, reason: "damaged" };
    const loaded = openSnapshot(this.#ports.engine, bytes, { isTrusted: isKnown === true });
    return loaded ?? { path: file, reason: "damaged" };
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

  #remember(sum: Sum): void {
    this.#sums = [sum, ...this.#sums.filter((each) => each.crc32 !== sum.crc32)].slice(0, mostSums);
  }

  /**
   * Makes these bytes the snapshot, and keeps the one there was as the previous one.
   *
   * @returns the number up to which the journal is no longer needed: that of the previous snapshot, or 0 without one.
   * @throws the system's error; the snapshots are as they were then.
   */
  async save(bytes: Uint8Array, applied: number): Promise<number> {
    const { files } = this.#ports;
    const temporary = await writeBeside(this.current, bytes, this.#ports);
    try {
      const sum = sumOf(bytes, applied);
      // Before the file gets its name: a snapshot whose sum nobody knows would count as damaged.
      const sums = Buffer.from(JSON.stringify({ sums: [sum, ...this.#sums] }, null, 1));
      await writeAtomically(this.#sumsPath, sums, this.#ports);
      const held = (await this.#keepPrevious()) ? this.#applied : 0;
      await moveInto(temporary, this.current, files);
      this.#remember(sum);
      this.#applied = applied;
      return held;
    } catch (error) {
      await files.remove(temporary);
      throw error;
    }
  }

  /** Gives the present snapshot its second name, so that there is never a moment without any. */
  async #keepPrevious(): Promise<boolean> {
    const { files, unique } = this.#ports;
    const second = path.join(this.#folder, `.ledger.previous.${unique()}.tmp`);
    try {
      await files.link(this.current, second);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    }
    await moveInto(second, this.previous, files);
    return true;
  }

  /** Gives a damaged snapshot another name, which is answered: it is never written over. */
  async setAside({ path: file }: SnapshotFault): Promise<string> {
    const aside = file.replace(/\.sqlite$/u, `.damaged-${this.#ports.unique()}.sqlite`);
    await this.#ports.files.rename(file, aside);
    await this.#ports.files.flushFolder(this.#folder);
    return aside;
  }

  /** Copies a snapshot aside before its schema changes, once a version. */
  async keepVersion(bytes: Uint8Array, version: number): Promise<void> {
    const file = path.join(this.#folder, `ledger.schema-${version}.sqlite`);
    const names = await this.#ports.files.list(this.#folder);
    if (!names.includes(path.basename(file))) await writeAtomically(file, bytes, this.#ports);
  }

  /** Removes what a killed process left of its writing. */
  async tidy(): Promise<void> {
    for (const name of await this.#ports.files.list(this.#folder))
      if (isLeftover(name) && name.includes("ledger"))
        await this.#ports.files.remove(path.join(this.#folder, name));
  }
}

function sumOf(bytes: Uint8Array, applied: number): Sum {
  return { applied, bytes: bytes.length, crc32: crc32(bytes) };
}

/** Opens bytes as a ledger, or answers undefined when they are none that is whole. */
export function openSnapshot(
  engine: SqlEngine,
  bytes: Uint8Array,
  { isTrusted }: { isTrusted: boolean },
): LoadedSnapshot | undefined {
  let db: Database | undefined;
  try {
    db = new Database(engine, bytes);
    if (!isTrusted && integrityFaults(db).length > 0) throw new Error("damaged");
    const applied = db.first("SELECT value FROM meta WHERE key = 'applied'", [], ([value]) =>
      numberIn(value),
    );
    if (applied === undefined) throw new Error("no number");
    return { db, applied, bytes };
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
