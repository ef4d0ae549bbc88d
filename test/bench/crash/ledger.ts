import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { crashRounds } from "../../engine/ledger/crash/rounds.ts";

/**
 * `npm run bench -- crash-ledger [rounds seed]`: kills a process that appends to a ledger, 300 times, and checks what is left.
 */
const [rounds = 300, seed = 1] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(path.join(tmpdir(), "purser-crash-"));
try {
  const { acknowledged, torn, previousSnapshots } = await crashRounds(folder, { rounds, seed });
  console.log(`${rounds} kills (seed ${seed}): all of ${acknowledged} acknowledged appends are there, once`);
  console.log(`unfinished lines dropped: ${torn}; starts from the previous snapshot: ${previousSnapshots}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
