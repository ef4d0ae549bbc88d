import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { fakeMachine } from "../../support/pretended-machine.ts";
import {
  nodeRandomFiles,
  type RandomFile,
  type RandomFiles,
} from "../../../../src/engine/ledger/pages/random-file.ts";
import { loadSqlEngine } from "../../../../src/engine/ledger/store/database.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import type { LedgerPorts } from "../../../../src/engine/ledger/journal.ts";
import { openLedger, type OpenOptions } from "../../../../src/engine/ledger/store/open.ts";
import { noUsage } from "../../../../src/engine/usage/token-counts.ts";

export const wasmPath = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm");
export const engine = await loadSqlEngine(wasmPath);

let words = 0;

export function ledgerPorts(over: Partial<LedgerPorts> = {}): LedgerPorts {
  return {
    files: nodeRandomFiles,
    engine,
    unique: () => `${process.pid}-${(words += 1)}`,
    pid: process.pid,
    machine: fakeMachine((pid) => pid === process.pid),
    ...over,
  };
}

/** Opens a ledger that is closed after the test. */
export async function open(
  t: Pick<TestContext, "after">,
  folder: string,
  over: Partial<OpenOptions> = {},
): Promise<Ledger> {
  const opened = await openLedger({ ...ledgerPorts(), folder, ...over });
  if (!opened.ok) throw new Error(`${opened.reason}: ${opened.detail.text}`);
  t.after(() => opened.value.close());
  return opened.value;
}

/** Appends entries; fails the test unless acknowledged. */
export async function appendEntries(ledger: Ledger, ...entries: LedgerEntry[]): Promise<void> {
  const done = await ledger.append(entries);
  assert.ok(done.ok, done.ok ? "" : `${done.reason}: ${done.detail.text}`);
}

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;

/** The `number`th response of an active session. */
export function response(number: number, over: Partial<ResponseInput> = {}): ResponseInput {
  return {
    kind: "response",
    messageId: `msg_${number}`,
    requestId: `req_${number}`,
    sessionId: "session-1",
    model: "claude-opus-4-5",
    at: Date.UTC(2026, 10, 1) + number * 60_000,
    cwd: "/work/project",
    isSidechain: false,
    usage: { ...noUsage, input: 10, output: number, cacheRead: 1000 },
    ...over,
  };
}

/** The message ids of a session's counted responses. */
export function ids(ledger: Ledger, sessionId = "session-1"): string[] {
  return ledger.ask("responses", sessionId).map(({ messageId }) => messageId);
}

/** The journal's segments, oldest first. */
export function segments(folder: string): string[] {
  const journal = path.join(folder, "journal");
  return readdirSync(journal)
    .filter((name) => name.endsWith(".ndjson"))
    .sort()
    .map((name) => path.join(journal, name));
}

/** Changes one byte of a file. @param position counted from the end when negative */
export function flipByte(file: string, position: number): void {
  const bytes = readFileSync(file);
  const index = position < 0 ? bytes.length + position : position;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A file system with limited remaining space, in bytes. */
export class FullDisk {
  room = Infinity;
  /** Number of flushes that will fail. */
  failingFlushes = 0;
  flushes = 0;

  readonly files: RandomFiles = {
    ...nodeRandomFiles,
    create: async (file) => {
      if (this.room <= 0) throw systemError("ENOSPC");
      const handle = await nodeRandomFiles.create(file);
      return {
        ...handle,
        write: (bytes, position) => this.#write(bytes, (fitting) => handle.write(fitting, position)),
        flush: () => this.#flush(() => handle.flush()),
      };
    },
    open: async (file, access) => {
      if (this.room <= 0 && access === "create") throw systemError("ENOSPC");
      const handle = await nodeRandomFiles.open(file, access);
      return {
        ...handle,
        writeNow: (bytes, position) => {
          handle.writeNow(this.#fitting(bytes), position);
          if (this.room <= 0) throw systemError("ENOSPC");
        },
        write: (bytes, position) => this.#write(bytes, (fitting) => handle.write(fitting, position)),
        flush: () => this.#flush(() => handle.flush()),
      };
    },
  };

  #fitting(bytes: Uint8Array): Uint8Array {
    const fitting = bytes.subarray(0, Math.max(0, Math.min(bytes.length, this.room)));
    this.room -= fitting.length;
    return fitting;
  }

  async #write(bytes: Uint8Array, write: (fitting: Uint8Array) => Promise<void>): Promise<void> {
    const fitting = this.#fitting(bytes);
    await write(fitting);
    if (fitting.length < bytes.length) throw systemError("ENOSPC");
  }

  async #flush(flush: () => Promise<void>): Promise<void> {
    this.flushes += 1;
    if (this.failingFlushes > 0) {
      this.failingFlushes -= 1;
      throw systemError("EIO");
    }
    await flush();
  }
}

/** A file system that fails after that many changes once armed. */
export function diesAfter(steps: number): { port: RandomFiles; arm(): void; readonly isDead: boolean } {
  let left = Infinity;
  const step = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    left -= 1;
    if (left < 0) throw systemError("EIO");
    return work();
  };
  const dying = (handle: RandomFile): RandomFile => ({
    ...handle,
    // Part of the interrupted write may be on the disk.
    write: async (bytes, position) => {
      if (left === 0) await handle.write(bytes.subarray(0, Math.floor(bytes.length / 2)), position);
      await step(() => handle.write(bytes, position));
    },
    flush: () => step(() => handle.flush()),
  });
  return {
    arm: () => void (left = steps),
    get isDead() {
      return left < 0;
    },
    port: {
      ...nodeRandomFiles,
      create: (file) => step(() => nodeRandomFiles.create(file)),
      open: async (file, access) =>
        dying(
          await (access === "create"
            ? step(() => nodeRandomFiles.open(file, access))
            : nodeRandomFiles.open(file, access)),
        ),
      rename: (from, to) => step(() => nodeRandomFiles.rename(from, to)),
      link: (from, to) => step(() => nodeRandomFiles.link(from, to)),
      remove: (file) => step(() => nodeRandomFiles.remove(file)),
    },
  };
}
