import { sentence, type Sentence } from "../../base/language.ts";
import path from "node:path";
import { writeBeside, isLeftover, type FilePort } from "../../base/files.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { onDisk, unusableFile, type Budgeted } from "../faults.ts";
import { insideProject } from "../../base/paths.ts";
import { budgetPaths, makeSpendingFolder, namesIn } from "../disk-layout.ts";
import { LedgerTotals, readSpending, spendingText, type CallerSpending } from "./ledger-totals.ts";
import type { SessionTotals } from "./session-totals.ts";
import type { Changed, SpendingStore } from "./spending-store.ts";
import { leasesAt, leasesWithEnds, nothingSpent, type Spending, type Ticks } from "./spending.ts";

export interface FileSpendingPorts {
  readonly project: string;
  readonly files: FilePort;
  readonly unique: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Null where the machine has no clock that all processes share and nobody sets: then leases end by its usual clock. */
  readonly ticks?: () => Ticks | null;
}

/** Each failed attempt means that another process succeeded; so many in a row mean that something is wrong. */
const attempts = 200;
/** Milliseconds. */
const maxPauseMs = 8;
/** Lower generations stay for a while, so that a process that is listing the folder still finds one of them. */
const keptGenerations = 8;
/** A file system without hard links copies: for a moment a file may be incomplete. */
const [readings, betweenReadings] = [4, 25];

interface Generation {
  readonly generation: number;
  /** Modification time of its file, milliseconds since the epoch. */
  readonly writtenAt: number;
  readonly spending: CallerSpending;
}

/**
 * Spending in files that processes share without a lock, so that a process that was killed or stopped leaves none behind. Totals from
 * ledgers are stored beside it in files of their own: see `LedgerTotals`.
 *
 * Every change creates a file with the next higher number, complete and flushed to the disk before it gets its name, which the system
 * lets only one process give; the highest number is current. The process that gives the name first has made the change, the others
 * read again and retry. A crash leaves the change made or not made, never half.
 *
 * A process that was suspended between reading and writing may give a number that was used and removed meanwhile, and its change is
 * lost. So it checks the highest number once more: a number is only removed by a process that wrote one `keptGenerations` higher. If
 * it finds one that much higher, it cannot tell and retries; its change may already be included, which is why a change must do
 * nothing the second time.
 */
export class FileSpending implements SpendingStore {
  readonly folders: readonly string[];
  readonly #folder: string;
  /** The folder out of which no link may lead. */
  readonly #root: string;
  readonly #ports: FileSpendingPorts;
  readonly #totals: LedgerTotals;
  #last: Promise<unknown> = Promise.resolve();
  /** The generation read last: a numbered file never changes, but after a removal of the folder numbers start over. */
  #known: Generation | undefined;

  /** @param apart a folder that is not the project's own */
  constructor(ports: FileSpendingPorts, apart?: string) {
    this.#ports = ports;
    this.#folder = apart ?? budgetPaths(ports.project).spending;
    this.#root = apart ?? ports.project;
    this.folders = [this.#folder];
    this.#totals = new LedgerTotals(this.#folder, ports);
  }

  /**
   * Reads all spending. Fails if the highest file is damaged: the spending is unknown then, and a lower file would report too little.
   */
  read(): Promise<Budgeted<Spending>> {
    return onDisk(this.#folder, async () => {
      const found = await this.#highest();
      if (!found.ok) return found;
      const totals = await this.#totals.read();
      return totals.ok ? succeed(this.#atNow(found.value.spending, totals.value)) : totals;
    });
  }

  /** Makes a change. Changes of this process are queued, so that they need no retries. */
  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const done = this.#last.then(() => onDisk(this.#folder, () => this.#change(change)));
    this.#last = done.catch(() => undefined);
    return done;
  }

  writeTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>> {
    return onDisk(this.#folder, async () => {
      const inside = insideProject(this.#folder, this.#root);
      if (!inside.ok) return fail("unusable", inside.detail);
      await this.#totals.write(ledgerId, sessions);
      return succeed(null);
    });
  }

  /** Removes the totals of one ledger, which are now elsewhere. */
  removeTotals(ledgerId: string): Promise<Budgeted<null>> {
    return onDisk(this.#folder, async () => {
      await this.#totals.remove(ledgerId);
      return succeed(null);
    });
  }

  totalsBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    return this.#totals.totalsBy(ledgerId);
  }

  hasTotalsBy(ledgerId: string): Promise<boolean> {
    return this.#totals.hasTotalsBy(ledgerId);
  }

  async #change<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const inside = insideProject(this.#folder, this.#root);
    if (!inside.ok) return fail("unusable", inside.detail);
    await makeSpendingFolder(this.#folder, this.#ports.files);
    const totals = await this.#totals.read();
    if (!totals.ok) return totals;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await this.#highest();
      if (!found.ok) return found;
      const current = this.#atNow(found.value.spending, totals.value);
      const { spending, value } = change(current);
      if (spending === current) return succeed(value);
      if (await this.#write(found.value.generation + 1, spending)) {
        await this.#tidy(found.value.generation + 1);
        return succeed(value);
      }
      await this.#ports.pause(Math.min(maxPauseMs, attempt));
    }
    return fail("busy", sentence("{0}: other processes keep writing to it; try again", this.#folder));
  }

  #atNow(spending: CallerSpending, totals: Spending["totals"]): Spending {
    return { ...spending, leases: leasesAt(spending.leases, this.#ticks()), totals };
  }

  #ticks(): Ticks | null {
    return this.#ports.ticks?.() ?? null;
  }

  async #highest(): Promise<Budgeted<Generation>> {
    for (let reading = 1; ; reading += 1) {
      const generation = Math.max(0, ...(await this.#generations()));
      if (generation === 0) return succeed({ generation, spending: nothingSpent, writtenAt: 0 });
      const found = await this.#readGeneration(generation);
      if (found.ok) {
        this.#known = found.value;
        return found;
      }
      if (reading === readings) return damaged(this.#fileOf(generation), found.detail);
      await this.#ports.pause(found.reason === "not_found" ? 0 : betweenReadings);
    }
  }

  async #readGeneration(generation: number): Promise<Result<Generation, "corrupt" | "not_found">> {
    const { files } = this.#ports;
    const file = this.#fileOf(generation);
    try {
      const writtenAt = await files.modifiedAt(file);
      if (this.#known?.generation === generation && this.#known.writtenAt === writtenAt)
        return succeed(this.#known);
      const read = readSpending(await files.read(file));
      return read.ok ? succeed({ generation, writtenAt, spending: read.value }) : read;
    } catch (error) {
      // Other processes have moved on and removed it.
      if (errorCode(error) === "ENOENT") return fail("not_found", sentence("it was removed"));
      throw error;
    }
  }

  /** Writes a generation and returns whether the change is certain to be made. */
  async #write(generation: number, { usage, leases, recorded }: Spending): Promise<boolean> {
    const { files } = this.#ports;
    const file = this.#fileOf(generation);
    const spending = { usage, leases: leasesWithEnds(leases, this.#ticks()), recorded };
    const temporary = await writeBeside(file, spendingText(spending), this.#ports);
    try {
      await files.link(temporary, file);
    } catch (error) {
      // EEXIST: another process was first. ENOENT: our temporary file was tidied away as if left by a killed process.
      if (["EEXIST", "ENOENT"].includes(errorCode(error))) return false;
      throw error;
    } finally {
      await files.remove(temporary);
    }
    await files.flushFolder(this.#folder);
    if (Math.max(...(await this.#generations())) >= generation + keptGenerations) return false;
    this.#known = { generation, spending, writtenAt: await files.modifiedAt(file) };
    return true;
  }

  /** Removes generations that can no longer be the highest, and temporary files of killed writers. */
  async #tidy(generation: number): Promise<void> {
    const { files } = this.#ports;
    for (const name of await namesIn(this.#folder, files)) {
      const [, number] = /^\.?spending\.(\d+)\.json/u.exec(name) ?? [];
      if (number === undefined || Number(number) > generation - keptGenerations) continue;
      if (generationOf(name) !== undefined || isLeftover(name))
        await files.remove(path.join(this.#folder, name));
    }
  }

  async #generations(): Promise<number[]> {
    const names = await namesIn(this.#folder, this.#ports.files);
    return names.flatMap((name) => generationOf(name) ?? []);
  }

  #fileOf(generation: number): string {
    return path.join(this.#folder, `spending.${generation}.json`);
  }
}

function generationOf(name: string): number | undefined {
  const [, number] = /^spending\.(\d{1,15})\.json$/u.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

function damaged(file: string, what: Sentence) {
  const remedy = sentence("remove its folder; what transcripts tell is counted again");
  return unusableFile({ file, what, remedy });
}
