import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { countCopilot, readEvents } from "../../../../src/engine/transcripts/copilot/usage-reader.ts";
import { copilotStore, findEventFiles } from "../../../../src/engine/transcripts/copilot/copilot-files.ts";
import { readStore, runtimeSqlite } from "../../../../src/engine/transcripts/copilot/read-store.ts";
import { copilotRoots } from "../../../../src/engine/transcripts/home-folder.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { began, ended, readEventLines, tokensOf, used, vector } from "./event-rows.ts";

const sqlite = runtimeSqlite();
const table = `CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  model TEXT NOT NULL, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
  cache_write_tokens INTEGER, reasoning_tokens INTEGER, token_details_json TEXT, created_at TEXT);
  CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT);
  INSERT INTO sessions VALUES ('s1', '/home/dev/harbor');`;
const rows = `INSERT INTO assistant_usage_events (session_id, model, input_tokens, output_tokens, cache_read_tokens,
  cache_write_tokens, created_at) VALUES
  ('s1', 'gpt-5.4', 100, 10, 40, 30, '2026-11-02T09:00:01.000Z'),
  ('s2', 'gpt-5.4', 7, 1, NULL, NULL, '2026-11-02 09:00:02'),
  ('s2', 'gpt-5.4', -7, 1, NULL, NULL, NULL);`;

describe("Copilot's files", () => {
  it("are in the COPILOT_HOME folder, else in the home folder", () => {
    const root = (env: Record<string, string>) =>
      copilotRoots({ env, home: "/home/dev", paths: path.posix })[0];
    assert.deepEqual([root({}), root({ COPILOT_HOME: "/srv/c" })], ["/home/dev/.copilot", "/srv/c"]);
    assert.equal(root({ COPILOT_CONFIG_DIR: "/etc/c" }), "/etc/c");
  });

  it("are found, and read by their session's folder", (t) => {
    const root = scratchFolder(t);
    writeTree(path.join(root, "session-state"), {
      "s1/events.jsonl": `${used(1, 1, vector(5, 0, 1))}\n`,
      "s1/checkpoints/events.jsonl": "",
      "s2/workspace.yaml": "",
    });
    const { files, problems } = findEventFiles(root);
    assert.deepEqual(problems, []);
    assert.equal(files.length, 1);
    const read = readEvents(files[0]?.path ?? "");
    assert.ok(read.ok && read.value.facts.sessionId === "s1");
    const gone = readEvents(path.join(root, "events.jsonl"));
    assert.ok(!gone.ok && gone.reason === "gone");
  });
});

describe("Copilot's store", { skip: sqlite === undefined && "no SQLite here" }, () => {
  const write = (file: string, statements: string, journal = "DELETE") => {
    assert.ok(sqlite !== undefined);
    const store = new sqlite.DatabaseSync(file);
    store.exec(`PRAGMA journal_mode = ${journal}; ${statements}`);
    return store;
  };

  it("is read, and left as it was", (t) => {
    const folder = scratchFolder(t);
    const file = copilotStore(folder);
    write(file, table + rows, "WAL").close();
    const read = readStore(file);
    assert.ok(read.ok);
    assert.deepEqual(tokensOf(read.value.records), ["gpt-5.4 30 40 10", "gpt-5.4 7 0 1"]);
    assert.equal(read.value.malformed, 1);
    const [first, second] = read.value.records;
    assert.deepEqual(
      [first?.cwd, first?.at, second?.cwd],
      ["/home/dev/harbor", Date.parse("2026-11-02T09:00:01Z"), null],
    );
    assert.equal(second?.at, Date.parse("2026-11-02T09:00:02Z"));
    assert.deepEqual(readdirSync(folder), ["session-store.db"]);
  });

  it("is read while another program writes to it", (t) => {
    const file = copilotStore(scratchFolder(t));
    const writer = write(file, table, "WAL");
    writer.exec(rows);
    const read = readStore(file);
    writer.close();
    assert.ok(read.ok && read.value.records.length === 2);
  });

  it("yields nothing without such a table", (t) => {
    const file = copilotStore(scratchFolder(t));
    write(file, "CREATE TABLE sessions (id TEXT)").close();
    const read = readStore(file);
    assert.ok(read.ok && read.value.records.length === 0);
  });

  it("is refused without waiting when it is not a regular file", (t) => {
    const file = copilotStore(scratchFolder(t));
    if (!makeFifo(t, file)) mkdirSync(file);
    const read = readStore(file);
    assert.ok(!read.ok && read.reason === "refused");
  });

  it("is reported as missing, damaged, or beyond this runtime", (t) => {
    const file = copilotStore(scratchFolder(t));
    const reason = () => {
      const read = readStore(file);
      return read.ok ? "read" : read.reason;
    };
    assert.equal(reason(), "gone");
    writeFileSync(file, "no database, however long a text this is ".repeat(100));
    assert.equal(reason(), "damaged");
  });
});

describe("Copilot's events and store together", () => {
  const stored = (session: string, input: number) => {
    const [record] = readEventLines([began, used(1, 1, vector(input, 0, 1))]).records;
    assert.ok(record !== undefined);
    return {
      ...record,
      source: "store" as const,
      sessionId: session,
      key: `copilot ${session} store ${input}`,
    };
  };

  it("count a session by its events, each response once", () => {
    const session = readEventLines([began, used(1, 1, vector(5, 0, 1)), used(2, 2, vector(6, 0, 1))]);
    assert.deepEqual(
      tokensOf(countCopilot([session], [stored("s1", 5), stored("s1", 6)])),
      tokensOf(session.records),
    );
  });

  it("count it by the store where its events have less, or only totals", () => {
    const rows = [stored("s1", 5), stored("s1", 6)];
    const unfinished = readEventLines([began]);
    assert.equal(countCopilot([unfinished], rows).length, 2);
    const totals = readEventLines([began, ended(1, { "gpt-5.4": vector(11, 0, 2) })]);
    assert.deepEqual(countCopilot([totals], rows), rows);
    const more = readEventLines([began, ended(1, { "gpt-5.4": vector(50, 0, 2) })]);
    assert.deepEqual(countCopilot([more], rows), more.records);
  });

  it("count sessions that only the store knows, and copies once", () => {
    assert.equal(countCopilot([], [stored("s9", 5)]).length, 1);
    const [own, copy] = ["s1", "s2"].map((id) =>
      readEventLines([began.replace('"s1"', `"${id}"`), used(1, 1, vector(5, 0, 1), "s1")]),
    );
    assert.ok(own !== undefined && copy !== undefined);
    assert.deepEqual(countCopilot([copy, own]), own.records);
  });
});
