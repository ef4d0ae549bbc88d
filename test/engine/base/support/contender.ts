import assert from "node:assert/strict";
import { closeSync, openSync, rmSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import { takeLock } from "../../../../src/engine/base/lock.ts";
import type { Machine } from "../../../../src/engine/base/process/machine.ts";

/**
 * Takes a lock repeatedly against others. While it holds the lock it owns a file that nobody else can create. Every other
 * time it dies with the lock: its "process" of that turn is no longer alive.
 */
const { folder, index, turns } = z
  .object({ folder: z.string(), index: z.int(), turns: z.int() })
  .parse(workerData);
const proof = path.join(folder, "proof");
const id = { host: "h", boot: "b", processes: "p" };
let had = 0;
for (let turn = 0; had < turns; turn += 1) {
  const pid = index * 1_000_000 + turn + 1;
  const tomb = (of: number) => path.join(folder, `dead-${of}`);
  const machine: Machine = { id, isAlive: (asked) => !isThere(tomb(asked)), startOf: () => "1" };
  const unique = () => `${pid}`;
  const lock = await takeLock({ folder, name: "service" }, { files: nodeFiles, unique, pid, machine });
  if (!lock.ok) continue;
  closeSync(openSync(proof, "wx"));
  assert.ok(await lock.value.beat());
  rmSync(proof);
  had += 1;
  if (turn % 2 === 0) await lock.value.release();
  else closeSync(openSync(tomb(pid), "wx"));
}
parentPort?.postMessage(had);

function isThere(file: string): boolean {
  try {
    closeSync(openSync(file, "r"));
    return true;
  } catch {
    return false;
  }
}
