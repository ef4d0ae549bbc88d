import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { makeTranscript, type Transcript } from "../../host/transcript.ts";
import { hastyLink } from "./service-link.ts";
import { seededRandom } from "../corpus/filler.ts";

/**
 * One of four writer processes: an agent that writes turns, and the window beside it, which reconnects whenever the service
 * is killed. The agent deletes most files that the service reports as fully read: from then on only the ledger has them.
 */
const task = z
  .object({
    index: z.int(),
    seed: z.int(),
    program: z.string(),
    claude: z.string(),
    workspace: z.string(),
  })
  .parse(JSON.parse(process.argv[2] ?? ""));

/** Maximum time between two turns, and between two requests. Milliseconds. */
const [turnEvery, askEvery] = [40, 80];
const maxTurns = 40; // of one session
const [keptShare, compactShare] = [0.3, 0.15];
const sessionsOfOne = 1_000_000;

const random = seededRandom(task.seed * 10 + task.index);
const link = hastyLink(task.program, task.claude);
/** The message id of every turn, in the order they were written. */
const written: string[] = [];
/** Number of turns the service has acknowledged. */
let acknowledged = 0;
/** Completed files, each with the number of turns written when it was completed. */
let full: { readonly file: string; readonly until: number }[] = [];
let isOver = false;

async function write(): Promise<void> {
  for (let session = 1; !isOver; session += 1) {
    const number = task.index * sessionsOfOne + session;
    const transcript = makeTranscript(task, number);
    await fill(transcript, number);
    full.push({ file: transcript.file, until: written.length });
  }
}

async function fill(transcript: Transcript, number: number): Promise<void> {
  const turns = 1 + random.below(maxTurns);
  for (let turn = 1; turn <= turns && !isOver; turn += 1) {
    transcript.turn(20_000 + 500 * turn);
    written.push(`msg_${number}_${turn}`);
    await wait(random.below(turnEvery));
  }
}

async function ask(): Promise<void> {
  while (!isOver) {
    await wait(random.below(askEvery));
    const { client } = link;
    const [upTo, askedAt] = [written.length, Date.now()];
    const read = await client?.ask("catchUp", {});
    // A ledger that cannot be written to still answers, with an older date. Whatever could not be read or stored is listed
    // in `problems`.
    if (read?.ok !== true) continue;
    const { problems, asOf } = read.value.freshness;
    if (problems.length > 0 || (asOf ?? 0) < askedAt) continue;
    acknowledged = upTo;
    process.send?.({ acknowledged });
    deleteRead();
    // The next kill may come while the snapshot is written.
    if (random.chance(compactShare)) void client?.ask("compactLedger", {});
  }
}

function deleteRead(): void {
  for (const { file, until } of full) if (until <= acknowledged && !random.chance(keptShare)) rmSync(file);
  full = full.filter(({ until }) => until > acknowledged);
}

process.once("message", () => (isOver = true));
process.once("disconnect", () => process.exit());
link.start();
await Promise.all([write(), ask()]);
await link.stop();
// A large message takes a while to send.
process.send?.({ written }, () => process.disconnect());
