import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { SessionFeed } from "../../../../src/engine/sessions/live/sessions-feed.ts";
import type { SessionReader } from "../../../../src/engine/sessions/live/reader.ts";
import type { FindStoredWork } from "../../../../src/engine/sessions/live/stored-work.ts";
import { StoredWorkTaker } from "../../../../src/engine/sessions/live/stored-work-taker.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { sessionRoots } from "../../../../src/engine/transcripts/agents.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { collectInto, homesIn, responseLines } from "../collect/support.ts";
import { open } from "../support/support.ts";

const recordings = fileURLToPath(new URL("../../../recordings", import.meta.url));
const recording = (name: string) => path.join(recordings, name);

/** Recordings of each agent's real program, and their folder in its home. */
const recorded = [
  ...scenarios("2.1.332", "claude"),
  ...scenarios("2.1.197", "claude"),
  ...scenarios("codex-0.171.0", "codex"),
  ...scenarios("gemini-0.61.0", "gemini/.gemini"),
];

function scenarios(folder: string, home: string) {
  return readdirSync(recording(folder)).map((name) => ({ from: path.join(folder, name), home }));
}

/** Reads all sessions below a folder. */
async function readSessions(folder: string): Promise<SessionReader[]> {
  const roots = sessionRoots({ ...homesIn(folder) });
  const feed = new SessionFeed({ roots, clock: { now: () => Date.now() }, isAlive: () => false });
  await feed.readOnce();
  return [...feed.readers.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Adds the ledger's data to sessions. Returns those that changed. */
async function take(ledger: Ledger, readers: readonly SessionReader[]): Promise<string[]> {
  const taken: string[] = [];
  const find: FindStoredWork = (asked) => Promise.resolve(ledger.ask("storedWork", asked));
  const taker = new StoredWorkTaker(find, (problem) => assert.fail(problem));
  await taker.take(readers, ({ id }) => taken.push(id));
  return taken;
}

function figuresOf({ account }: SessionReader) {
  const { main, all, own, toolCalls, cwd } = account;
  const { turns, prompts, compactions } = main;
  return {
    turns,
    prompts,
    compactions: compactions.length,
    calls: toolCalls.size,
    cwd,
    used: [all, own, account.ofMain].map((each) => each.usage()),
    usd: own.cost(builtInCatalogue).value,
  };
}

async function collected(t: TestContext, folder: string): Promise<Ledger> {
  const ledger = await open(t, scratchFolder(t));
  await collectInto(ledger, folder).collector.catchUp();
  return ledger;
}

describe("the ledger's data beyond a session's files", () => {
  for (const { from, home } of recorded) {
    if (from.endsWith("codex-0.171.0/tool-loop")) continue; // put away by the agent: not followed
    it(`is empty while they are whole: ${from}`, async (t) => {
      const folder = scratchFolder(t);
      cpSync(recording(from), path.join(folder, home), { recursive: true });
      const ledger = await collected(t, folder);
      const readers = await readSessions(folder);
      assert.ok(readers.length > 0);
      assert.deepEqual(await take(ledger, readers), []);
    });
  }

  for (const { from, home } of recorded) {
    // A fork of this version marks its copies only by its first rows.
    if (from === "2.1.197/fork") continue;
    it(`is the part they lost, so that a session's sums are as before: ${from}`, async (t) => {
      const folder = scratchFolder(t);
      cpSync(recording(from), path.join(folder, home), { recursive: true });
      const ledger = await collected(t, folder);
      const before = (await readSessions(folder)).map(figuresOf);
      for (const file of globSync("**/*.jsonl", { cwd: folder })) dropOlder(path.join(folder, file));
      const readers = await readSessions(folder);
      await take(ledger, readers);
      const after = readers.map(figuresOf);
      assert.deepEqual(after.map(sumsOf), before.map(sumsOf));
    });
  }

  it("includes turns, prompts, calls and compactions", async (t) => {
    const folder = scratchFolder(t);
    cpSync(recording("2.1.332/compaction-manual"), path.join(folder, "claude"), { recursive: true });
    const ledger = await collected(t, folder);
    const [before] = (await readSessions(folder)).map(figuresOf);
    for (const file of globSync("**/*.jsonl", { cwd: folder })) dropOlder(path.join(folder, file));
    const [reader] = await readSessions(folder);
    assert.ok(reader !== undefined && before !== undefined);
    const occupancy = reader.account.main.occupancy();
    assert.ok(figuresOf(reader).turns < before.turns);
    await take(ledger, [reader]);
    assert.deepEqual(figuresOf(reader), before);
    assert.equal(reader.account.main.occupancy(), occupancy, "the present context is unchanged");
  });

  it("is added once, and rows that return do not count again", async (t) => {
    const folder = scratchFolder(t);
    const file = path.join(folder, "claude/projects/-work/session-1.jsonl");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, responseLines(0, 10));
    const ledger = await collected(t, folder);
    writeFileSync(file, responseLines(7, 12));
    const reader = (await readSessions(folder)).find(({ id }) => id === "session-1");
    assert.ok(reader !== undefined);
    assert.deepEqual([await take(ledger, [reader]), reader.account.main.turns], [["session-1"], 12]);
    writeFileSync(file, responseLines(0, 12));
    while (reader.read().more);
    assert.equal(reader.account.main.turns, 12);
    assert.equal(reader.account.own.usage().input, 120);
  });

  it("waits while the ledger cannot answer", async (t) => {
    const folder = scratchFolder(t);
    cpSync(recording("2.1.332/resume"), path.join(folder, "claude"), { recursive: true });
    const readers = await readSessions(folder);
    let asked = 0;
    const cannot: FindStoredWork = () => {
      asked += 1;
      return Promise.resolve(null);
    };
    const taker = new StoredWorkTaker(cannot, (problem) => assert.fail(problem));
    const take = () => taker.take(readers, () => assert.fail("nothing is known"));
    await take();
    await take();
    assert.equal(asked, 2);
  });
});

function sumsOf({ used, usd }: ReturnType<typeof figuresOf>) {
  return { used: used.slice(1), usd: usd?.toFixed(9) };
}

/**
 * Rewrites a file without the older half of its rows. Keeps the first one, which identifies the session, and those that
 * name a model.
 */
function dropOlder(file: string): void {
  const rows = readFileSync(file, "utf8").trimEnd().split("\n");
  const kept = rows.filter(
    (row, index) => index === 0 || index > rows.length / 2 || row.includes('"turn_context"'),
  );
  writeFileSync(file, kept.map((row) => `${row}\n`).join(""));
}
