import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { ensureService, type StarterPorts } from "../../../src/engine/service/ensure.ts";
import type { PurserPaths } from "../../../src/engine/base/disk/home.ts";
import type { ServiceClient } from "../../../src/engine/service/client.ts";
import { readRecord } from "../../../src/engine/service/service-record.ts";
import { childEnvironment } from "../../host/child-environment.ts";
import { repository } from "../../host/repository.ts";
import { makeScratch, type Scratch } from "../../host/scratch.ts";
import { starterPorts } from "./service-link.ts";
import { seededRandom } from "../corpus/filler.ts";

const writers = 4;
/**
 * Maximum lifetime of a service after it reports serving, and after it has acknowledged something.
 * Milliseconds.
 */
const [soon, later] = [800, 400];
const patience = 20_000; // ms for the next service to start, on a loaded machine
const program = path.join(repository, "dist", "service.cjs");

export interface ServiceCrashFigures {
  /** Turns in transcripts, each of which is in the ledger once. */
  readonly written: number;
  /** Those among them that the service acknowledged before its last kill. */
  readonly acknowledged: number;
  /** Turns of transcripts deleted after acknowledgement, which only the ledger has. */
  readonly onlyInLedger: number;
  /** Kills before which the service had acknowledged something. */
  readonly productive: number;
  /** Starts that dropped an unfinished write, or loaded the previous snapshot. */
  readonly torn: number;
  readonly previousSnapshots: number;
  /** Mean milliseconds per round, everything included. */
  readonly round: number;
}

/** Kills the service at random moments while four writers run, then checks that everything they wrote is there, once. */
export async function crashService(rounds: number, seed: number): Promise<ServiceCrashFigures> {
  const scratch = await makeScratch();
  const ports = starterPorts(childEnvironment(scratch.env), program);
  const { home } = ports;
  const children: Writer[] = [];
  const before = performance.now();
  try {
    for (let index = 0; index < writers; index += 1) children.push(new Writer(scratch, index + 1, seed));
    const random = seededRandom(seed);
    let productive = 0;
    let killed = 0;
    for (let round = 0; round < rounds; round += 1) {
      killed = await nextService(home, killed);
      const known = acknowledgedBy(children);
      const hasMore = () => acknowledgedBy(children) > known;
      // Every other service lives until it answers, on any machine; the rest may be killed while starting.
      if (round % 2 === 1) await until(hasMore, "nothing was acknowledged");
      await wait(random.next() * (round % 2 === 1 ? later : soon));
      process.kill(killed, "SIGKILL");
      productive += Number(hasMore());
    }
    const acknowledged = acknowledgedBy(children);
    const round = (performance.now() - before) / rounds;
    const written = (await Promise.all(children.map((child) => child.finish()))).flat();
    await end(ports, written.length);
    assertOnce(path.join(home.folder, "ledger.sqlite"), written);
    const figures = { written: written.length, acknowledged, productive, round };
    return { ...figures, onlyInLedger: written.length - turnsIn(scratch), ...openings(home) };
  } finally {
    for (const child of children) child.stop();
    await scratch.remove();
  }
}

const reported = z.union([z.object({ acknowledged: z.int() }), z.object({ written: z.array(z.string()) })]);

class Writer {
  readonly #child: ChildProcess;
  acknowledged = 0;
  #written: readonly string[] | undefined;

  constructor({ claude, workspace, env }: Scratch, index: number, seed: number) {
    const task = { index, seed, program, claude, workspace };
    const script = path.join(import.meta.dirname, "service-writer.ts");
    this.#child = fork(script, [JSON.stringify(task)], { env: childEnvironment(env) });
    this.#child.on("message", (message) => {
      const said = reported.parse(message);
      if ("written" in said) this.#written = said.written;
      else this.acknowledged = said.acknowledged;
    });
  }

  /** Ends the writer; returns the message ids of all it wrote. */
  async finish(): Promise<readonly string[]> {
    const left = once(this.#child, "disconnect");
    this.#child.send("end");
    await left;
    assert.ok(this.#written, "a writer ended by itself");
    return this.#written;
  }

  stop(): void {
    this.#child.kill();
  }
}

function acknowledgedBy(writers: readonly Writer[]): number {
  return sum(writers.map(({ acknowledged }) => acknowledged));
}

/** Waits until a different service than the last one serves; returns its pid. */
async function nextService(home: PurserPaths, last: number): Promise<number> {
  let next = last;
  await until(() => {
    const found = readRecord(home);
    if (found.ok && found.value !== null) next = found.value.pid;
    return next !== last;
  }, "no service began");
  return next;
}

async function until(isTrue: () => boolean, otherwise: string): Promise<void> {
  const deadline = performance.now() + patience;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, otherwise);
    await wait(2);
  }
}

/** Lets the last service read the rest and check the ledger, then shuts it down cleanly. */
async function end(ports: StarterPorts, written: number): Promise<void> {
  const client = await ensureService(ports);
  assert.ok(client.ok, client.ok ? "" : client.detail.text);
  try {
    await assertKnown(client.value, written);
  } finally {
    await client.value.shutdown("asked", patience);
    client.value.dispose();
  }
}

async function assertKnown(client: ServiceClient, written: number): Promise<void> {
  const read = await client.ask("catchUp", {});
  assert.deepEqual(read.ok && read.value.freshness.problems, []);
  const faults = await client.ask("checkLedger", {});
  assert.deepEqual(faults.ok && faults.value.faults, []);
  const limits = { since: null, until: null, project: null, program: null };
  const usage = await client.ask("usage", { by: "model", ...limits });
  assert.ok(usage.ok);
  assert.equal(usage.value.report.totals.responses, written);
}

/** Asserts that stock SQLite finds the file intact, with every turn in it once. */
function assertOnce(file: string, written: readonly string[]): void {
  const stock = new DatabaseSync(file, { readOnly: true });
  try {
    assert.deepEqual({ ...stock.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" });
    assert.deepEqual(stock.prepare("PRAGMA foreign_key_check").all(), []);
    const held = stock.prepare("SELECT message_id, is_counted FROM responses ORDER BY 1").all();
    assert.ok(held.every((row) => row["is_counted"] === 1));
    assert.deepEqual(
      held.map((row) => row["message_id"]),
      written.toSorted(),
    );
  } finally {
    stock.close();
  }
}

/** Number of turns in the remaining transcripts. */
function turnsIn({ claude }: Scratch): number {
  const entries = readdirSync(claude, { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name }) => name.endsWith(".jsonl"));
  const texts = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), "utf8"));
  return sum(texts.map((text) => text.split("\n").length - 1));
}

/** Counts from the services' log how the ledger was opened. Fails on damage that a kill must not cause. */
function openings({ log }: PurserPaths): Pick<ServiceCrashFigures, "torn" | "previousSnapshots"> {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const count = (words: RegExp) => text.match(words)?.length ?? 0;
  assert.equal(count(/are missing|read again|left out|could not be read in full| error /gu), 0, text);
  return {
    torn: count(/of an unfinished write were dropped/gu),
    previousSnapshots: count(/made it again/gu),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
