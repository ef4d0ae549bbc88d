import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import type { Anomaly } from "../../../../src/engine/ledger/ledger-answers.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { openLedgerThread } from "../../../../src/engine/ledger/ledger-thread.ts";
import { seededRandom, textPool } from "../../../bench/corpus/filler.ts";
import { newWriter } from "../../../bench/corpus/rows.ts";
import { readRecordings } from "../../support/recordings.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { entriesOf } from "../collect/claude/lines.ts";
import { open, response, appendEntries, wasmPath } from "../support/support.ts";

const minute = 60_000;
const now = Date.UTC(2026, 10, 1);
type RunInput = Extract<LedgerEntry, { kind: "run" }>;

/** The `number`th run; a negative number is that many minutes in the past. */
function run(number: number, cacheCreation: number, over: Partial<RunInput> = {}): RunInput {
  return {
    kind: "run",
    id: `session-1:msg_${number}`,
    sessionId: "session-1",
    agent: "main",
    completed: true,
    input: 0,
    output: 0,
    cacheCreation,
    cacheRead: 1_000_000,
    startedAt: now + (number - 1) * minute + 1,
    endedAt: now + number * minute,
    ...over,
  };
}

async function recorded(ledger: Ledger, at = now): Promise<readonly Anomaly[]> {
  const result = await ledger.recordAnomalies(at);
  assert.ok(result.ok);
  return result.value;
}

test("A run above twice the median of earlier runs is reported once, with its most expensive turns", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const usage = { input: 0, output: 0, cacheCreation5m: 201, cacheCreation1h: 0, cacheRead: 9 };
  await appendEntries(
    ledger,
    { kind: "session", id: "session-1", title: "Port it", cwd: "/a", program: "claude-code" },
    { kind: "session", id: "later", program: "claude-code" },
    ...[-9, -8, -7, -6, -5].map((number) => run(number, 100)),
    run(-4, 200),
    run(-3, 201, { completed: false }),
    run(-2, 10_000, { agent: "Explore" }),
    run(-1, 10_000, { sessionId: "golden", id: "golden:1", taskHash: "golden" }),
    run(1, 100_000, { sessionId: "later", id: "later:1" }),
    response(1, { at: now - 3 * minute, usage, messageId: "dear" }),
    response(2, { at: now - 2 * minute, messageId: "after" }),
  );
  const found = await recorded(ledger);
  const inSession = found.filter(({ sessionId }) => sessionId === "session-1");
  assert.deepEqual(inSession, [
    {
      id: "costly-run:session-1:msg_-3",
      sessionId: "session-1",
      agentId: null,
      cause: "costly-run",
      at: now - 3 * minute,
      value: 201,
      usual: 100,
      turns: ["dear"],
      shownAt: null,
      title: "Port it",
      project: "/a",
      program: "claude-code",
    },
  ]);
  assert.equal(found.length, 2);
  assert.deepEqual(await recorded(ledger), []);
  await appendEntries(ledger, run(-3, 300, { completed: false }));
  assert.deepEqual(await recorded(ledger), []);
  assert.deepEqual(
    ledger
      .ask("anomalies", {})
      .map(({ value }) => value)
      .sort(),
    [100_000, 300],
  );
  const shown = {
    kind: "anomaly",
    id: "costly-run:later:1",
    sessionId: "later",
    cause: "costly-run",
  } as const;
  await appendEntries(ledger, { ...shown, shownAt: now });
  assert.deepEqual(
    ledger.ask("anomalies", { unshownOnly: true }).map(({ id }) => id),
    ["costly-run:session-1:msg_-3"],
  );
});

test("The usage of another program's agent with the same name does not count as usual", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const named = (id: string, program: string | null): LedgerEntry => ({ kind: "session", id, program });
  const five = [-9, -8, -7, -6, -5];
  await appendEntries(ledger, named("session-1", "claude-code"), named("other", "codex"));
  await appendEntries(
    ledger,
    ...five.map((number) => run(number, 100, { sessionId: "other", id: `other:${number}` })),
  );
  await appendEntries(ledger, run(-1, 10_000));
  assert.deepEqual(await recorded(ledger), []);
  // Codex's runs are only compared with Codex's.
  await appendEntries(ledger, run(-1, 10_000, { sessionId: "other", id: "other:dear" }));
  const [found, ...more] = await recorded(ledger);
  assert.deepEqual([found?.id, found?.usual, more], ["costly-run:other:dear", 100, []]);
});

test("At least five earlier runs are needed, and the last fifty are used", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, ...[-5, -4, -3, -2].map((number) => run(number, 100)), run(-1, 10_000));
  assert.deepEqual(await recorded(ledger), []);
  const old = Array.from({ length: 40 }, (_, index) => run(index - 200, 1));
  const recent = Array.from({ length: 50 }, (_, index) => run(index - 100, 6000));
  await appendEntries(ledger, ...old, ...recent, run(-40, 11_000, { sessionId: "other", id: "other:1" }));
  assert.deepEqual(
    (await recorded(ledger)).filter(({ id }) => id === "costly-run:other:1"),
    [],
  );
});

test("An anomaly older than a day is recorded as history, and not reported", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, ...[-9, -8, -7, -6, -5].map((number) => run(number, 100)), run(-4, 1000));
  assert.deepEqual(await recorded(ledger, now + 24 * 60 * minute), []);
  const [anomaly] = ledger.ask("anomalies", {});
  assert.equal(anomaly?.shownAt, now - 4 * minute);
  assert.deepEqual(ledger.ask("anomalies", { unshownOnly: true }), []);
});

test("A stretch with a late beginning is not found again", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const quiet = (number: number) =>
    response(number, {
      at: now + number * minute,
      usage: { input: 0, output: 1, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 9000 + number },
    });
  const stalled = [4, 5, 6, 7, 8].map(quiet);
  await appendEntries(ledger, run(1, 5, { startedAt: now, endedAt: now + minute }), ...stalled);
  assert.deepEqual(
    (await recorded(ledger)).map(({ cause }) => cause),
    ["stall"],
  );
  await appendEntries(ledger, quiet(3), quiet(9));
  assert.deepEqual(await recorded(ledger), []);
  assert.equal(ledger.ask("anomalies", {}).length, 1);
});

test("A failed recording is tried again later, and a session of the last day once after opening", async (t) => {
  const folder = scratchFolder(t);
  const first = await open(t, folder);
  await appendEntries(
    first,
    { kind: "session", id: "session-1", lastAt: now },
    ...[-9, -8, -7, -6, -5].map((number) => run(number, 100)),
    run(-4, 1000),
  );
  const reading = await open(t, folder, { access: "read" });
  assert.equal((await reading.recordAnomalies(now)).ok, false);
  await first.close();
  const closed = await first.recordAnomalies(now);
  assert.equal(closed.ok || closed.reason, "closed");
  const second = await open(t, folder);
  assert.deepEqual(
    (await recorded(second)).map(({ value }) => value),
    [1000],
  );
});

test("The recordings of real agents have no stall and no falling cache, and neither have usual long sessions", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  for (const { files } of readRecordings())
    for (const { path, sessionId, agentId } of files)
      await appendEntries(
        ledger,
        ...entriesOf(readFileSync(path, "utf8").split("\n"), { path, sessionId: sessionId ?? "", agentId }),
      );
  const random = seededRandom(7);
  const pool = textPool(random);
  for (let number = 0; number < 4; number += 1) {
    const writer = newWriter({ random, pool, number, start: now });
    const rows = [...writer.opening(), ...Array.from({ length: 150 }, () => writer.turn().rows).flat()];
    const file = { path: `/nowhere/${writer.id}.jsonl`, sessionId: writer.id, agentId: null };
    await appendEntries(
      ledger,
      ...entriesOf(
        rows.map((row) => JSON.stringify(row)),
        file,
      ),
    );
  }
  await recorded(ledger);
  assert.deepEqual(
    ledger.ask("anomalies", {}).filter(({ cause }) => cause !== "costly-run"),
    [],
  );
  assert.ok(ledger.ask("sessions", {}).reduce((sum, { responses }) => sum + responses, 0) > 600);
});

test("The ledger's thread reports its findings after a burst, once", async (t) => {
  const worker = new URL("../../../../src/engine/ledger/thread/ledger-worker.ts", import.meta.url);
  const thread = await openLedgerThread({ folder: scratchFolder(t), wasmPath, models: {} }, worker);
  assert.ok(thread.ok);
  const ledger = thread.value;
  t.after(() => ledger.close());
  const received = new Promise<Anomaly>((settle) => {
    const listening = ledger.onAnomaly(settle);
    t.after(() => listening.dispose());
  });
  const ended = { startedAt: Date.now() - minute, endedAt: Date.now() };
  await ledger.append([...[-9, -8, -7, -6, -5].map((number) => run(number, 100)), run(-4, 1000, ended)]);
  assert.equal((await received).value, 1000);
  assert.deepEqual(
    (await ledger.ask("anomalies", { unshownOnly: true })).map(({ id }) => id),
    [(await received).id],
  );
});
