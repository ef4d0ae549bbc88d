import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { rowEntries } from "../../../../../src/engine/ledger/collect/records/records-entries.ts";
import type { Ledger } from "../../../../../src/engine/ledger/ledger.ts";
import { namedRecords } from "../../../../../src/engine/transcripts/records.ts";
import { countRollouts } from "../../../../../src/engine/transcripts/codex.ts";
import { countCopilot } from "../../../../../src/engine/transcripts/copilot/usage-reader.ts";
import { copilotStore } from "../../../../../src/engine/transcripts/copilot/copilot-files.ts";
import { readStore, runtimeSqlite } from "../../../../../src/engine/transcripts/copilot/read-store.ts";
import { addUsage, noUsage, type TokenUsage } from "../../../../../src/engine/usage/token-counts.ts";
import { countOnce, type UsageRecord } from "../../../../../src/engine/usage/agent-record.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";
import * as codex from "../../../transcripts/codex/rollout-rows.ts";
import * as copilot from "../../../transcripts/copilot/event-rows.ts";
import { open, appendEntries } from "../../support/support.ts";
import { collectInto, countedBySession } from "../support.ts";

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** Counted tokens: uncached input, cache reads, and output. */
function counted(ledger: Ledger): string[] {
  return ledger
    .ask("sessions", {})
    .flatMap(({ id }) => ledger.ask("responses", id))
    .map(({ usage: { input, cacheRead, output } }) => `${input} ${cacheRead} ${output}`)
    .sort();
}

/** An original or a copy of a response; the response determines everything except the place of the copy. */
const copyOf = fc.record({
  number: fc.nat(4),
  hasKey: fc.boolean(),
  isReplay: fc.boolean(),
  session: fc.nat(2),
  delay: fc.nat(3),
});

interface Copy {
  readonly number: number;
  readonly hasKey: boolean;
  readonly isReplay: boolean;
  readonly session: number;
  readonly delay: number;
}

function recordOf({ number, hasKey, isReplay, session, delay }: Copy): UsageRecord {
  return {
    agent: "codex",
    sessionId: isReplay ? `fork-${session}` : `session-${number % 2}`,
    cwd: null,
    model: "gpt-5.5",
    // Copies come after their originals.
    at: isReplay ? 1000 + delay : 1000,
    responseId: null,
    usage: { ...noUsage, input: 10 + number, output: number },
    raw: { input_tokens: 10 + number },
    window: null,
    isReplay,
    key: hasKey ? `codex ${number}` : null,
  };
}

function parsed(json: string | null): unknown {
  return JSON.parse(json ?? "");
}

describe("agents' records in the ledger", () => {
  it("are counted like countOnce does, in any order", async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(copyOf, { maxLength: 12 }),
        fc.array(fc.nat(99), { minLength: 12 }),
        async (copies, order) => {
          const records = copies.map(recordOf);
          const ledger = await open(t, scratchFolder(t));
          const entries = rowEntries(namedRecords(records)).filter(({ kind }) => kind === "response");
          const shuffled = entries
            .map((entry, index) => ({ entry, rank: order[index] ?? 0 }))
            .sort((one, other) => one.rank - other.rank);
          for (const { entry } of shuffled) await appendEntries(ledger, entry);
          const wanted = countOnce(records);
          assert.deepEqual(
            counted(ledger),
            wanted.map(({ usage }) => `${usage.input} 0 ${usage.output}`).sort(),
          );
          // A copy counts for its own session only if it has no original.
          const owned = wanted.filter(({ isReplay }) => !isReplay).map(({ sessionId }) => sessionId);
          const held = [...countedBySession(ledger)].filter(([id]) => !id.startsWith("fork"));
          for (const [id, { responses }] of held)
            assert.equal(responses, owned.filter((session) => session === id).length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("keep the agent's own figures beside the derived ones", async (t) => {
    const ledger = await open(t, scratchFolder(t));
    const folder = scratchFolder(t);
    const id = codex.idAt(0);
    const lines = [codex.meta(0, { id }), codex.response(1, id, "r1", codex.vector(100, 90, 10, 5, 4))];
    writeTree(path.join(folder, "codex", "sessions"), { [`rollout-${id}.jsonl`]: text(lines) });
    await collectInto(ledger, folder).collector.catchUp();
    const [response] = ledger.ask("responses", id);
    assert.deepEqual(response?.usage, {
      ...noUsage,
      input: 5,
      cacheRead: 90,
      cacheCreation5m: 5,
      output: 10,
    });
    assert.deepEqual(parsed(response.raw), {
      input_tokens: 100,
      cached_input_tokens: 90,
      cache_write_input_tokens: 5,
      output_tokens: 10,
      reasoning_output_tokens: 4,
      total_tokens: 110,
    });
    assert.equal(response.model, "unknown");
  });
});

describe("an older Codex's fork", () => {
  const [id, child] = [codex.idAt(0), codex.idAt(10)];
  const [a, b, used] = [codex.vector(100, 0, 10), codex.vector(250, 90, 30), codex.vector(70, 7, 5)];
  const grown = codex.vector(320, 97, 35);
  const parent = [codex.meta(0, { id }), codex.count(1, a, a), codex.count(2, b, codex.vector(150, 90, 20))];
  const fork = [
    codex.meta(10, { id: child, forked_from_id: id }),
    codex.count(12, a, a),
    codex.count(13, b, codex.vector(150, 90, 20)),
    codex.count(60, grown, used),
  ];
  const place = (folder: string, session: string) =>
    path.join(folder, "codex", "sessions", `rollout-2026-11-02T09-00-00-${session}.jsonl`);
  const wanted = countRollouts([codex.readLines(parent), codex.readLines(fork)]);

  for (const first of ["parent", "fork"]) {
    it(`counts its parent's history once, whichever comes first: ${first}`, async (t) => {
      const folder = scratchFolder(t);
      writeTree(folder, {});
      const ledger = await open(t, scratchFolder(t));
      const write = (who: string) => {
        const [session, lines] = who === "parent" ? [id, parent] : [child, fork];
        writeTree(path.dirname(place(folder, session)), {
          [path.basename(place(folder, session))]: text(lines),
        });
      };
      write(first);
      await collectInto(ledger, folder).collector.catchUp();
      write(first === "parent" ? "fork" : "parent");
      await collectInto(ledger, folder).collector.catchUp();
      assert.deepEqual(counted(ledger), codex.tokensOf(wanted).sort());
    });
  }

  it("counts it once even when the parent's rollout is gone before the fork is read", async (t) => {
    const folder = scratchFolder(t);
    const ledger = await open(t, scratchFolder(t));
    writeTree(path.dirname(place(folder, id)), { [path.basename(place(folder, id))]: text(parent) });
    await collectInto(ledger, folder).collector.catchUp();
    rmSync(place(folder, id));
    writeFileSync(place(folder, child), text(fork));
    await collectInto(ledger, folder).collector.catchUp();
    assert.deepEqual(counted(ledger), codex.tokensOf(wanted).sort());
  });
});

const sqlite = runtimeSqlite();

describe("Copilot's events and store", { skip: sqlite === undefined && "no SQLite here" }, () => {
  const { began, ended, used, vector } = copilot;
  const table = `CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    model TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
    cache_write_tokens INTEGER, reasoning_tokens INTEGER, created_at TEXT)`;
  const rows = (...inputs: number[]) =>
    inputs.map(
      (input, second) => `INSERT INTO assistant_usage_events (session_id, model, input_tokens, output_tokens,
        cache_read_tokens, created_at) VALUES ('s1', 'gpt-5.4', ${input}, 1, 0, '2026-11-02T09:00:0${second}.000Z')`,
    );
  const cases: Readonly<Record<string, { events: readonly string[]; stored: readonly number[] }>> = {
    "single responses in both": {
      events: [used(0, 1, vector(5, 0, 1)), used(1, 2, vector(6, 0, 1))],
      stored: [5, 6],
    },
    "the same numbers twice": {
      events: [used(0, 1, vector(5, 0, 1)), used(1, 2, vector(5, 0, 1))],
      stored: [5, 5],
    },
    "no totals yet": { events: [], stored: [5, 6] },
    "totals of the same": { events: [ended(3, { "gpt-5.4": vector(11, 0, 2) })], stored: [5, 6] },
    "totals of more": { events: [ended(3, { "gpt-5.4": vector(50, 0, 2) })], stored: [5, 6] },
    "no store": { events: [ended(3, { "gpt-5.4": vector(50, 0, 2) })], stored: [] },
  };
  const sum = (tokens: readonly TokenUsage[]) => tokens.reduce(addUsage, noUsage);

  for (const [name, { events, stored }] of Object.entries(cases)) {
    it(`count each response once, read at once or one after the other: ${name}`, async (t) => {
      assert.ok(sqlite !== undefined);
      for (const order of ["store first", "events first", "at once"]) {
        const folder = scratchFolder(t);
        const ledger = await open(t, scratchFolder(t));
        const root = path.join(folder, "copilot");
        writeTree(root, { "session-state/s1/events.jsonl": text([began]) });
        const store = new sqlite.DatabaseSync(copilotStore(root));
        store.exec(table);
        const { collector } = collectInto(ledger, folder);
        const fill = () => rows(...stored).forEach((row) => store.exec(row));
        if (order !== "events first") fill();
        if (order === "store first") await collector.catchUp();
        // Totals are written when a process ends; by then its rows are in the store.
        const isTotal = events.some((event) => event.includes("shutdown"));
        if (order === "events first" && isTotal) fill();
        writeTree(root, { "session-state/s1/events.jsonl": text([began, ...events]) });
        await collector.catchUp();
        if (order === "events first" && !isTotal) fill();
        await collector.catchUp();
        store.close();
        const read = readStore(copilotStore(root));
        assert.ok(read.ok);
        const wanted = countCopilot([copilot.readEventLines([began, ...events])], read.value.records);
        const reported = ledger.ask("responses", "s1").map(({ usage }) => usage);
        assert.deepEqual(sum(reported), sum(wanted.map(({ usage }) => usage)), order);
        const [session] = ledger.ask("sessions", {});
        assert.deepEqual([session?.program, session?.cwd], ["copilot", "/home/dev/harbor"]);
      }
    });
  }
});

describe("Gemini's sessions", () => {
  const message = (id: string, output: number) => {
    const tokens = { input: 100, output, cached: 40, thoughts: 0, tool: 0, total: 100 + output };
    return { id, timestamp: "2026-11-02T09:00:00.000Z", type: "gemini", model: "gemini-3-pro", tokens };
  };
  const header = { sessionId: "s1", summary: "The harbor", lastUpdated: "2026-11-02T09:00:00.000Z" };

  it("are read in both formats, a rewritten message once", async (t) => {
    const folder = scratchFolder(t);
    const ledger = await open(t, scratchFolder(t));
    const chats = path.join(folder, "gemini", ".gemini", "tmp", "project", "chats");
    const { collector } = collectInto(ledger, folder);
    writeTree(chats, { "session-1.json": JSON.stringify({ ...header, messages: [message("m1", 1)] }) });
    await collector.catchUp();
    const [one, two] = [message("m1", 1), message("m2", 2)];
    writeTree(chats, { "session-1.json": JSON.stringify({ ...header, messages: [one, two] }) });
    await collector.catchUp();
    const resumed = [header, message("m2", 7), message("m3", 3)].map((row) => JSON.stringify(row));
    writeTree(chats, { "session-1.jsonl": text(resumed) });
    await collector.catchUp();
    assert.deepEqual(counted(ledger), ["60 40 1", "60 40 3", "60 40 7"]);
    assert.equal(ledger.ask("sessions", {})[0]?.title, "The harbor");
  });
});
