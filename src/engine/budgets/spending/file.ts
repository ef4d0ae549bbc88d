import path from "node:path";
import { isLeftover, writeBeside } from "../../base/disk/atomic-file.ts";
import { errorCode } from "../../base/error-code.ts";
import type { FilePort } from "../../base/disk/file-port.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { onDisk, type Budgeted } from "../faults.ts";
import { budgetPlaces, makeSpendingFolder, namesIn } from "../places.ts";
import { LedgerTotals } from "./ledger-totals.ts";
import type { SessionTotals } from "./session-totals.ts";
import type { Changed, SpendingStore } from "./store.ts";
import { readSpending, spendingText, type ToldSpending } from "./text.ts";
import { nothingSpent, type Spending } from "./spending.ts";

export interface FileSpendingPorts {
  readonly project: string;
  readonly files: FilePort;
  readonly unique: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Each attempt that fails is one that another process made; so many in a row mean that something is wrong. */
const attempts = 200;
/** Milliseconds. */
const longestPause = 8;
/** Lower ones stay a while, so that whoever lists the folder meanwhile finds one of them. */
const keptGenerations = 8;
/** A file system without hard links copies: for a moment a file may be there in part. */
const [readings, betweenReadings] = [4, 25];

interface Generation {
  /** 0 before anything was spent. */
  readonly generation: number;
  /** Of its file, milliseconds since the epoch. */
  readonly writtenAt: number;
  readonly spending: ToldSpending;
}

/**
 * What was spent, in files that processes share without a lock, so that none is left behind by a process that was killed or stopped.
 * What ledgers tell is beside it, in files of their own: see `LedgerTotals`.
 *
 * Every change makes a file of the next higher number, complete and flushed to the disk before it has its name, which the system lets
 * only one process give; the highest is what holds. Who was first to give the name has made the change, the others read again
 * and try again. A crash leaves the change made or not made, never half.
 *
 * A process that was stopped between reading and writing may give a number that was used and removed meanwhile, and a change made
 * so is lost. So it looks at the highest once more: a number is removed only by who wrote one that is `keptGenerations` higher. With
 * one so much higher it cannot tell, and tries again; that its change may be in there already is why changes do nothing the
 * second time.
 */
export class FileSpending implements SpendingStore {
  readonly #folder: string;
  readonly #ports: FileSpendingPorts;
  readonly #totals: LedgerTotals;
  #last: Promise<unknown> = Promise.resolve();
  /** What was read last: a file of a number does not change, but somebody may have begun anew from the first. */
  #known: Generation | undefined;

  constructor(ports: FileSpendingPorts) {
    this.#ports = ports;
    this.#folder = budgetPlaces(ports.project).spending;
    this.#totals = new LedgerTotals(this.#folder, ports);
  }

  /** A highest file that is damaged is a failure: what was spent is not known then, and a lower one would tell too little. */
  read(): Promise<Budgeted<Spending>> {
    return onDisk(this.#folder, async () => {
      const found = await this.#highest();
      if (!found.ok) return found;
      const totals = await this.#totals.read();
      return totals.ok ? succeed({ ...found.value.spending, totals: totals.value }) : totals;
    });
  }

  /** Changes of this process wait for each other, so that they do not have to try again. */
  update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const done = this.#last.then(() => onDisk(this.#folder, () => this.#change(change)));
    this.#last = done.catch(() => undefined);
    return done;
  }

  tellTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>> {
    return onDisk(this.#folder, async () => {
      await this.#totals.write(ledgerId, sessions);
      return succeed(null);
    });
  }

  toldBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    return this.#totals.toldBy(ledgerId);
  }

  hasToldBy(ledgerId: string): Promise<boolean> {
    return this.#totals.hasToldBy(ledgerId);
  }

  async #change<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    await makeSpendingFolder(this.#folder, this.#ports.files);
    const totals = await this.#totals.read();
    if (!totals.ok) return totals;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await this.#highest();
      if (!found.ok) return found;
      const current = { ...found.value.spending, totals: totals.value };
      const { spending, value } = change(current);
      if (spending === current) return succeed(value);
      if (await this.#write(found.value.generation + 1, spending)) {
        await this.#tidy(found.value.generation + 1);
        return succeed(value);
      }
      await this.#ports.pause(Math.min(longestPause, attempt));
    }
    return fail("busy", `${this.#folder}: other processes keep writing to it; try again`);
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
      // Others have gone on, and removed it.
      if (errorCode(error) === "ENOENT") return fail("not_found", "it was removed");
      throw error;
    }
  }

  /** Answers whether the change is made for certain. */
  async #write(generation: number, { usage, leases, recorded }: Spending): Promise<boolean> {
    const { files } = this.#ports;
    const file = this.#fileOf(generation);
    const spending = { usage, leases, recorded };
    const temporary = await writeBeside(file, spendingText(spending), this.#ports);
    try {
      await files.link(temporary, file);
    } catch (error) {
      // EEXIST: somebody was first. ENOENT: ours was tidied away as something a killed process left.
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

  /** Removes what cannot be the highest any more, and what killed processes left of writing it. */
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

function damaged(file: string, what: string) {
  const remedy = "remove its folder; what transcripts tell is counted again";
  return fail("corrupt", `${file} cannot be used: ${what}; nothing may be spent until then: ${remedy}`);
}
