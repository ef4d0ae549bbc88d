import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as after } from "node:timers/promises";
import { buildSync } from "esbuild";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { ledgerPorts } from "../support/support.ts";

const writerSource = path.join(import.meta.dirname, "writer.ts");
/** Maximum time between the first acknowledgement and the kill. Milliseconds. */
const longest = 120;

export interface CrashFigures {
  readonly acknowledged: number;
  /** Number of unfinished lines found and dropped. */
  readonly torn: number;
  readonly previousSnapshots: number;
}

/** Kills a writing process at random moments, and checks each time that everything it acknowledged is there, once. */
export async function crashRounds(
  folder: string,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<CrashFigures> {
  const random = seeded(seed);
  const writer = bundledWriter(folder);
  const acknowledged = new Map<string, readonly string[]>();
  let torn = 0;
  let previousSnapshots = 0;
  for (let round = 0; round < rounds; round += 1) {
    const written = await killedWriter(writer, folder, round, random() * longest);
    acknowledged.set(`session-${round}`, written);
    const opened = await openLedger({ ...ledgerPorts({ machine: thisMachine() }), folder });
    assert.ok(opened.ok, `round ${round}`);
    const ledger = opened.value;
    const where = `seed ${seed}, round ${round}`;
    assert.equal(ledger.readOnly, null, where);
    assert.equal(ledger.report.reread, false, `${where}: ${JSON.stringify(ledger.report)}`);
    torn += Number(ledger.report.journal.tornBytes > 0);
    previousSnapshots += Number(ledger.report.snapshot === "previous");
    const isLast = round === rounds - 1;
    for (const [session, ids] of isLast ? acknowledged : [[`session-${round}`, written] as const])
      assertOnce(
        ledger.ask("responses", session).map(({ messageId }) => messageId),
        ids,
        where,
      );
    if (isLast || round % 10 === 0) assert.ok((await ledger.snapshot()).ok, where);
    await ledger.close();
    if (isLast || round % 10 === 0) assertWhole(path.join(folder, "ledger.sqlite"));
  }
  const sum = [...acknowledged.values()].reduce((total, ids) => total + ids.length, 0);
  return { acknowledged: sum, torn, previousSnapshots };
}

/** Bundles the writer into one file, which starts in a third of the time. */
function bundledWriter(folder: string): string {
  const outfile = path.join(folder, "writer.mjs");
  const here = JSON.stringify(import.meta.url);
  buildSync({
    entryPoints: [writerSource],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    define: { "import.meta.url": here },
    // Globals that sql.js, a CommonJS module, expects.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(${here}), __filename = "", __dirname = "";`,
    },
  });
  return outfile;
}

async function killedWriter(writer: string, folder: string, round: number, delay: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, folder, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close");
  await Promise.race([once(child.stdout, "data"), ended]);
  await after(delay);
  assert.equal(child.exitCode, null, "the writer ended by itself");
  child.kill("SIGKILL");
  await ended;
  // The last line may be incomplete.
  return output.split("\n").slice(0, -1);
}

function assertOnce(held: readonly string[], reported: readonly string[], where: string): void {
  const times = new Map<string, number>();
  for (const id of held) times.set(id, (times.get(id) ?? 0) + 1);
  for (const id of reported) assert.equal(times.get(id), 1, `${where}: ${id}`);
}

function assertWhole(file: string): void {
  const stock = new DatabaseSync(file, { readOnly: true });
  try {
    assert.deepEqual({ ...stock.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" });
    assert.deepEqual(stock.prepare("PRAGMA foreign_key_check").all(), []);
  } finally {
    stock.close();
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
