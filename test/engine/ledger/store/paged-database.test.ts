import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import fc from "fast-check";
import {
  Database,
  PagedBytes,
  pagedDatabase,
  pageSize,
  type Pages,
} from "../../../../src/engine/ledger/store/database.ts";
import { findWorking, WorkingFile } from "../../../../src/engine/ledger/pages/working-file.ts";
import { PagedFile } from "../../../../src/engine/ledger/pages/paged-file.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { engine, ledgerPorts } from "../support/support.ts";

const schema = `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT UNIQUE, body BLOB);
  CREATE INDEX things_length ON things(length(body));`;

/** A database on a file and one in plain memory that receive the same statements. */
class Twins {
  readonly #folder: string;
  readonly #plain = new Database(engine, null);
  #paged: Database;
  #working: WorkingFile;

  private constructor(folder: string, working: WorkingFile, paged: Database) {
    this.#folder = folder;
    this.#working = working;
    this.#paged = paged;
    for (const db of [this.#plain, this.#paged]) db.execute(schema);
  }

  static async begin(folder: string): Promise<Twins> {
    const pages = new PagedFile(null);
    const working = new WorkingFile(pages, null, { ...ledgerPorts(), folder });
    const paged = pagedDatabase(engine, pages);
    await working.begin();
    return new Twins(folder, working, paged);
  }

  run(work: (db: Database) => void): void {
    const outcomes = [this.#plain, this.#paged].map((db) => {
      try {
        work(db);
        return "done";
      } catch (error) {
        return String(error);
      }
    });
    assert.equal(outcomes[1], outcomes[0]);
  }

  async checkpoint(): Promise<void> {
    const between = <Value>(work: () => Value) => Promise.resolve(work());
    assert.ok(await this.#working.checkpoint({ between, mayWrite: () => Promise.resolve(true) }));
  }

  /** Reopens it as the next start does. */
  async reopen(): Promise<void> {
    await this.checkpoint();
    await this.#close();
    const found = await findWorking(this.#folder, ledgerPorts());
    assert.ok(found !== null && "file" in found);
    const pages = new PagedFile(found.file);
    this.#paged = pagedDatabase(engine, pages);
    this.#working = new WorkingFile(pages, found, { ...ledgerPorts(), folder: this.#folder });
    await this.#working.begin();
  }

  check(): void {
    const [plain, paged] = [this.#plain, this.#paged].map((db) => ({
      rows: db.rows("SELECT id, name, body FROM things ORDER BY id", [], (cells) => cells),
      lengths: db.rows(
        "SELECT length(body), count(*) FROM things GROUP BY 1 ORDER BY 1",
        [],
        (cells) => cells,
      ),
      integrity: db.rows("PRAGMA integrity_check", [], (cells) => cells),
    }));
    assert.deepEqual(paged, plain);
    assert.deepEqual(paged?.integrity, [["ok"]]);
  }

  /** Asserts that a stock SQLite reads the file after a checkpoint. */
  checkFile(): void {
    const stock = new DatabaseSync(this.#working.path, { readOnly: true });
    const sum = stock.prepare("SELECT count(*) AS count, total(length(body)) AS bytes FROM things").get();
    stock.close();
    const [own] = this.#plain.rows("SELECT count(*), total(length(body)) FROM things", [], (cells) => cells);
    assert.deepEqual([sum?.["count"], sum?.["bytes"]], own);
  }

  async end(): Promise<void> {
    await this.#close();
    this.#plain.close();
  }

  async #close(): Promise<void> {
    this.#paged.close();
    await this.#working.close();
  }
}

const body = (length: number) => new Uint8Array(length).fill(length);

const steps = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ step: fc.constant("put" as const), id: fc.nat(60), length: fc.nat(9000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("many" as const), id: fc.nat(60), length: fc.nat(3000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("remove" as const), id: fc.nat(60), length: fc.nat(60) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("undo" as const), id: fc.nat(60), length: fc.nat(40_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constantFrom("checkpoint" as const, "reopen" as const),
      id: fc.constant(0),
      length: fc.constant(0),
    }),
  },
);

const put = "INSERT INTO things VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body";

test("A database on pages of a file equals one in memory, whatever the statements", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (reported) => {
      const twins = await Twins.begin(scratchFolder(t));
      for (const { step, id, length } of reported) {
        if (step === "put") twins.run((db) => db.run(put, [id, `thing ${id % 50}`, body(length)]));
        else if (step === "many")
          twins.run((db) =>
            db.transaction(() => {
              for (let more = 0; more < 100; more += 1)
                db.run(put, [1000 * (id + 1) + more, `${id}-${more}`, body(length)]);
            }),
          );
        else if (step === "remove")
          twins.run((db) => db.run("DELETE FROM things WHERE id BETWEEN ? AND ?", [id, id + length]));
        else if (step === "undo")
          twins.run((db) =>
            db.transaction(() => {
              for (let more = 0; more < 60; more += 1)
                db.run(put, [5000 + more, `undone ${more}`, body(length)]);
              db.run("DELETE FROM things WHERE id = ?", [id]);
              throw new Error("undone");
            }),
          );
        else await twins[step]();
        twins.check();
      }
      await twins.checkpoint();
      twins.checkFile();
      await twins.reopen();
      twins.check();
      await twins.end();
    }),
    { numRuns: 40 },
  );
});

test("A rollback makes a file neither longer nor shorter", () => {
  const written: number[] = [];
  const held = new Map<number, Uint8Array>();
  const pages: Pages = {
    get count() {
      return held.size;
    },
    read: (page) => held.get(page) ?? new Uint8Array(pageSize),
    write: (page, bytes) => {
      written.push(page);
      held.set(page, bytes.slice());
    },
  };
  const db = pagedDatabase(engine, pages);
  db.execute(schema);
  const before = pages.count;
  assert.throws(() =>
    db.transaction(() => {
      // Far more than SQLite caches of unchanged pages.
      for (let id = 0; id < 2000; id += 1) db.run(put, [id, `${id}`, body(9000)]);
      throw new Error("undone");
    }),
  );
  assert.equal(pages.count, before);
  assert.ok(written.every((page) => page < before));
  db.run(put, [1, "one", body(10)]);
  assert.equal(db.rows("SELECT count(*) FROM things", [], ([count]) => count)[0], 1);
  db.close();
});

test("sql.js uses only the known members of a file's content", () => {
  const asked = new Set<string | symbol>();
  const content = new PagedBytes(memoryPages());
  const watched = new Proxy(content, {
    get(target, name) {
      asked.add(name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function"
        ? (...given: unknown[]): unknown => {
            const answer: unknown = Reflect.apply(value, target, given);
            return answer === target ? watched : answer;
          }
        : value;
    },
    set: () => assert.fail("it sets something"),
    has: () => assert.fail("it looks whether there is something"),
    ownKeys: () => assert.fail("it looks at all there is"),
  });
  const db = new Database(engine, watched);
  db.execute(schema);
  for (let id = 0; id < 300; id += 1) db.run(put, [id, `${id}`, body(5000)]);
  db.run("DELETE FROM things WHERE id > 10");
  assert.equal(db.rows("SELECT count(*) FROM things", [], ([count]) => count)[0], 11);
  db.close();
  assert.deepEqual(asked, new Set(["buffer", "length", "set", "slice", "subarray"]));
});

test("Partial pages are refused, and so are too many at once", () => {
  const content = new PagedBytes(memoryPages());
  assert.throws(() => content.set(new Uint8Array(100), 0), /not whole pages/u);
  assert.throws(() => content.set(new Uint8Array(pageSize), 1), /not whole pages/u);
  assert.throws(() => content.subarray(0, 1 << 20), /asks for/u);
  content.set(new Uint8Array(2 * pageSize).fill(7), pageSize);
  assert.deepEqual(content.subarray(pageSize - 1, pageSize + 2), new Uint8Array([0, 7, 7]));
});

test("A database's first page is SQLite's own", async (t) => {
  const folder = scratchFolder(t);
  const twins = await Twins.begin(folder);
  await twins.checkpoint();
  assert.equal(readFileSync(`${folder}/ledger.work.sqlite`).toString("latin1", 0, 15), "SQLite format 3");
  await twins.end();
});

function memoryPages(): Pages {
  const held = new Map<number, Uint8Array>();
  const db = new Database(engine, null);
  db.execute("PRAGMA user_version = 1");
  held.set(0, db.bytes());
  db.close();
  return {
    get count() {
      return held.size;
    },
    read: (page) => held.get(page) ?? new Uint8Array(pageSize),
    write: (page, bytes) => void held.set(page, bytes.slice()),
  };
}
