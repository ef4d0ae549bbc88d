import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { nodeFiles, type FilePort } from "../../../src/engine/base/file-port.ts";
import { loadSqlEngine } from "../../../src/engine/ledger/database.ts";
import type { LedgerEntry } from "../../../src/engine/ledger/entry.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import type { LedgerPorts } from "../../../src/engine/ledger/ledger-ports.ts";
import { openLedger, type OpenOptions } from "../../../src/engine/ledger/open-ledger.ts";
import { noUsage } from "../../../src/engine/usage/token-usage.ts";

export const wasmPath = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm");
export const engine = await loadSqlEngine(wasmPath);

let words = 0;

export function ledgerPorts(over: Partial<LedgerPorts> = {}): LedgerPorts {
  return {
    files: nodeFiles,
    engine,
    unique: () => `${process.pid}-${(words += 1)}`,
    pid: process.pid,
    host: "here",
    isAlive: (pid) => pid === process.pid,
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
  if (!opened.ok) throw new Error(`${opened.reason}: ${opened.detail}`);
  t.after(() => opened.value.close());
  return opened.value;
}

/** Appends, and fails the test when it is not acknowledged. */
export async function tell(ledger: Ledger, ...entries: LedgerEntry[]): Promise<void> {
  const done = await ledger.append(entries);
  assert.ok(done.ok, done.ok ? "" : `${done.reason}: ${done.detail}`);
}

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;

/** The `number`th response of a session that works on something. */
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
  return ledger.responses(sessionId).map(({ messageId }) => messageId);
}

/** The journal's segments, the oldest first. */
export function segments(folder: string): string[] {
  const journal = path.join(folder, "journal");
  return readdirSync(journal)
    .filter((name) => name.endsWith(".ndjson"))
    .sort()
    .map((name) => path.join(journal, name));
}

/** Changes one byte of a file. @param place counted from the end when negative */
export function flipByte(file: string, place: number): void {
  const bytes = readFileSync(file);
  const index = place < 0 ? bytes.length + place : place;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A file system on which only so many bytes can be written any more. */
export class FullDisk {
  room = Infinity;
  /** How many flushes are to fail. */
  failingFlushes = 0;
  flushes = 0;

  readonly files: FilePort = {
    ...nodeFiles,
    create: async (file) => {
      if (this.room <= 0) throw systemError("ENOSPC");
      const handle = await nodeFiles.create(file);
      return {
        ...handle,
        write: async (bytes, position) => {
          const fitting = bytes.subarray(0, Math.max(0, Math.min(bytes.length, this.room)));
          this.room -= fitting.length;
          await handle.write(fitting, position);
          if (fitting.length < bytes.length) throw systemError("ENOSPC");
        },
        flush: async () => {
          this.flushes += 1;
          if (this.failingFlushes > 0) {
            this.failingFlushes -= 1;
            throw systemError("EIO");
          }
          await handle.flush();
        },
      };
    },
  };
}

/** A file system that does nothing any more after so many changes from the moment it is armed. */
export function diesAfter(steps: number): { port: FilePort; arm(): void } {
  let left = Infinity;
  const step = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    left -= 1;
    if (left < 0) throw systemError("EIO");
    return work();
  };
  return {
    arm: () => void (left = steps),
    port: {
      ...nodeFiles,
      create: (file) => step(() => nodeFiles.create(file)),
      rename: (from, to) => step(() => nodeFiles.rename(from, to)),
      link: (from, to) => step(() => nodeFiles.link(from, to)),
      remove: (file) => step(() => nodeFiles.remove(file)),
    },
  };
}
