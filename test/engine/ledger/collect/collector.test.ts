import { plainSentence } from "../../../../src/engine/base/language.ts";
import { assert } from "../../support/assert-texts.ts";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { fail } from "../../../../src/engine/base/result.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { readRecordings } from "../../support/recordings.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ids, open, appendEntries } from "../support/support.ts";
import { collectInto, contentOf, responseLines } from "./support.ts";

/** A folder of agents' files containing one transcript with that many responses. */
function transcriptOf(t: Pick<TestContext, "after">, responses: number): { folder: string; file: string } {
  const folder = scratchFolder(t);
  const file = path.join(folder, "claude", "projects", "-work-project", "session-1.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, responseLines(0, responses));
  return { folder, file };
}

const named = (...numbers: number[]) => numbers.map((number) => `msg_${number}`);

async function openHere(t: TestContext): Promise<Ledger> {
  return open(t, scratchFolder(t));
}

describe("collecting", () => {
  it("reads only appended rows, and nothing without new ones", async (t) => {
    const { folder, file } = transcriptOf(t, 2);
    const ledger = await openHere(t);
    const appended: LedgerEntry[] = [];
    const append = (entries: readonly LedgerEntry[]) => {
      appended.push(...entries);
      return ledger.append(entries);
    };
    await collectInto(ledger, folder, { append }).collector.catchUp();
    assert.deepEqual(ids(ledger), named(0, 1));
    appended.splice(0);
    const later = collectInto(ledger, folder, { append });
    await later.collector.catchUp();
    assert.deepEqual([later.opened, appended], [[], []]);
    appendFileSync(file, responseLines(2, 3));
    await later.collector.catchUp();
    assert.deepEqual(later.opened, [file]);
    const reported = appended.flatMap((entry) => (entry.kind === "response" ? [entry.messageId] : []));
    assert.deepEqual([reported, ids(ledger)], [named(2), named(0, 1, 2)]);
  });

  it("waits for the rest of a half-written line, also after a restart in another process", async (t) => {
    const { folder, file } = transcriptOf(t, 1);
    const ledger = await openHere(t);
    const line = responseLines(1, 2);
    appendFileSync(file, line.slice(0, 100));
    await collectInto(ledger, folder).collector.catchUp();
    assert.deepEqual(ids(ledger), named(0));
    appendFileSync(file, line.slice(100));
    await collectInto(ledger, folder).collector.catchUp();
    assert.deepEqual(ids(ledger), named(0, 1));
  });

  it("starts over with a file that was cut off, replaced or rewritten, and keeps the earlier figures", async (t) => {
    const happenings: ((file: string) => void)[] = [
      (file) => writeFileSync(file, responseLines(5, 9)),
      // A compaction leaves the last of the earlier rows.
      (file) => writeFileSync(file, responseLines(2, 3) + responseLines(5, 9)),
      (file) => {
        truncateSync(file, responseLines(0, 1).length);
        appendFileSync(file, responseLines(5, 9));
      },
      (file) => {
        writeFileSync(`${file}.new`, responseLines(5, 9));
        renameSync(`${file}.new`, file);
      },
    ];
    for (const happen of happenings) {
      for (const isSameProcess of [true, false]) {
        const { folder, file } = transcriptOf(t, 3);
        const ledger = await openHere(t);
        const { collector } = collectInto(ledger, folder);
        await collector.catchUp();
        happen(file);
        await (isSameProcess ? collector : collectInto(ledger, folder).collector).catchUp();
        assert.deepEqual(ids(ledger), named(0, 1, 2, 5, 6, 7, 8));
      }
    }
  });

  it("keeps the figures of a removed transcript", async (t) => {
    const { folder, file } = transcriptOf(t, 3);
    const ledger = await openHere(t);
    const { collector } = collectInto(ledger, folder);
    await collector.catchUp();
    rmSync(file);
    const { problems } = await collector.catchUp();
    assert.deepEqual([problems, ids(ledger)], [[], named(0, 1, 2)]);
  });

  it("continues when clocks go back", async (t) => {
    const { folder, file } = transcriptOf(t, 1);
    const ledger = await openHere(t);
    let now = 5000;
    const { collector } = collectInto(ledger, folder, { clock: { now: () => now } });
    assert.equal((await collector.catchUp()).asOf, 5000);
    appendFileSync(file, responseLines(1, 2));
    utimesSync(file, 1000, 1000);
    now = 10;
    assert.equal((await collector.catchUp()).asOf, 10);
    assert.deepEqual(ids(ledger), named(0, 1));
  });

  it("reports files it cannot read, and reads the rest", async (t) => {
    const { folder, file } = transcriptOf(t, 1);
    const odd = path.join(path.dirname(file), "odd.jsonl");
    const chat = path.join(folder, "gemini", ".gemini", "tmp", "project", "chats", "session-1.json");
    const packed = `rollout-2026-11-02T09-00-00-01a19b7c-a680-7000-8000-000000010000.jsonl.zst`;
    mkdirSync(path.dirname(chat), { recursive: true });
    writeFileSync(chat, "{}");
    mkdirSync(path.join(folder, "codex", "sessions"), { recursive: true });
    writeFileSync(path.join(folder, "codex", "sessions", packed), "this is no Zstandard");
    writeFileSync(odd, "not json\n\u0000\n");
    const ledger = await openHere(t);
    const { collector, reported } = collectInto(ledger, folder);
    const { asOf, problems } = await collector.catchUp();
    assert.deepEqual([asOf, ids(ledger)], [1000, named(0)]);
    assert.deepEqual(problems, [
      { path: path.join(folder, "codex", "sessions", packed), reason: "it is damaged" },
    ]);
    assert.deepEqual(
      reported.map(({ files, done }) => [files, done]),
      [
        [4, 0],
        [4, 1],
        [4, 2],
        [4, 3],
        [4, 4],
        [0, 0],
      ],
    );
    rmSync(path.join(folder, "codex"), { recursive: true });
    assert.deepEqual((await collector.catchUp()).problems, []);
  });

  it("reports growth at once, and the position after much growth or at the next pass", async (t) => {
    const { folder, file } = transcriptOf(t, 1);
    const ledger = await openHere(t);
    const { collector } = collectInto(ledger, folder);
    await collector.catchUp();
    const before = ledger.ask("positions", null).get(file)?.offset;
    const touch = async (lines: string) => {
      appendFileSync(file, lines);
      await collector.touch([file]);
      return ledger.ask("positions", null).get(file)?.offset === statSync(file).size;
    };
    assert.equal(await touch(responseLines(1, 2)), false);
    assert.deepEqual([ids(ledger), ledger.ask("positions", null).get(file)?.offset], [named(0, 1), before]);
    const again = collectInto(ledger, folder);
    await again.collector.catchUp();
    assert.equal(ledger.ask("positions", null).get(file)?.offset, statSync(file).size);
    assert.equal(await touch(responseLines(2, 3)), false);
    await collector.catchUp();
    assert.equal(ledger.ask("positions", null).get(file)?.offset, statSync(file).size);
    assert.equal(await touch(responseLines(3, 1000)), true);
    assert.equal(ids(ledger).length, 1000);
  });

  it("reads the newest files first, and growing ones before all others", async (t) => {
    const { folder, file } = transcriptOf(t, 1);
    const beside = (name: string) => path.join(path.dirname(file), `${name}.jsonl`);
    for (const [index, name] of ["a", "c", "b"].entries()) {
      writeFileSync(beside(name), responseLines(index, index + 1));
      utimesSync(beside(name), 2000 + index, 2000 + index);
    }
    utimesSync(file, 1, 1);
    const ledger = await openHere(t);
    const { collector, opened } = collectInto(ledger, folder);
    const looked = collector.catchUp();
    await collector.touch([file]);
    await looked;
    assert.deepEqual(opened, [file, beside("b"), beside("c"), beside("a")]);
  });
});

describe("a ledger that refuses", () => {
  it("loses nothing: refused entries are sent again", async (t) => {
    const { folder, file } = transcriptOf(t, 3);
    const ledger = await openHere(t);
    let isFull = false;
    const { collector, problems } = collectInto(ledger, folder, {
      append: async (entries) =>
        isFull ? fail("disk_full", plainSentence("the journal: ENOSPC")) : ledger.append(entries),
    });
    await collector.catchUp();
    appendFileSync(file, responseLines(3, 4));
    isFull = true;
    const { asOf, problems: reported } = await collector.catchUp();
    assert.equal(asOf, 1000);
    assert.deepEqual(reported, [{ path: "ledger", reason: "the journal: ENOSPC" }]);
    await collector.catchUp();
    assert.equal(problems.length, 1, "the log does not repeat the same problem");
    isFull = false;
    assert.deepEqual((await collector.catchUp()).problems, []);
    assert.deepEqual(ids(ledger), named(0, 1, 2, 3));
  });

  it("leaves out only the entry that it cannot store", async (t) => {
    const { folder } = transcriptOf(t, 20);
    const ledger = await openHere(t);
    const { collector, problems } = collectInto(ledger, folder, {
      append: async (entries) =>
        entries.some((entry) => entry.kind === "response" && entry.messageId === "msg_7")
          ? fail("bad_entry", plainSentence("a test says so"))
          : ledger.append(entries),
    });
    assert.deepEqual((await collector.catchUp()).problems, []);
    assert.deepEqual(problems, ["The ledger refused an entry: response: a test says so"]);
    assert.equal(ids(ledger).length, 19);
  });

  it("receives at most four thousand entries per append", async (t) => {
    const { folder } = transcriptOf(t, 9000);
    const ledger = await openHere(t);
    const sizes: number[] = [];
    await collectInto(ledger, folder, {
      append: (entries) => {
        sizes.push(entries.length);
        return ledger.append(entries);
      },
    }).collector.catchUp();
    assert.ok(sizes.length > 2 && sizes.every((size) => size <= 4000), sizes.join());
    assert.equal(ids(ledger).length, 9000);
  });
});

describe("whatever ends it", () => {
  it("ends after the write in progress", async (t) => {
    const { folder } = transcriptOf(t, 5000);
    const ledger = await openHere(t);
    let appends = 0;
    const { collector } = collectInto(ledger, folder, {
      append: async (entries) => {
        appends += 1;
        void collector.stop();
        return ledger.append(entries);
      },
    });
    const { asOf } = await collector.catchUp();
    await collector.stop();
    assert.equal(asOf, null);
    // The part read so far, of a total of eleven appends.
    assert.ok(appends < 6, `${appends}`);
    await collectInto(ledger, folder).collector.catchUp();
    assert.equal(ids(ledger).length, 5000);
  });

  it("the ledger has the same content in the end as without interruptions", async (t) => {
    const folder = scratchFolder(t);
    for (const { root, generation, scenario } of readRecordings().filter(isBrief))
      cpSync(
        path.join(root, "projects"),
        path.join(folder, "claude", "projects", `${generation}-${scenario}`),
        {
          recursive: true,
        },
      );
    flatten(path.join(folder, "claude", "projects"));
    const codex = path.join(readRecordings()[0]?.root ?? "", "..", "..", "codex-0.171.0", "fork", "sessions");
    cpSync(codex, path.join(folder, "codex", "sessions"), { recursive: true });
    const undisturbed = await openHere(t);
    await collectInto(undisturbed, folder).collector.catchUp();
    const wanted = await contentOf(undisturbed);
    assert.ok(wanted.length > 50);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(6)), { maxLength: 4 }),
        async (ends) => {
          const ledger = await openHere(t);
          for (const [size, appends] of ends) {
            let left = appends;
            // Appends smaller than a collector's own; the ledger accepts each fully or not at all.
            const { collector } = collectInto(ledger, folder, {
              append: async (entries) => {
                for (let start = 0; start < entries.length; start += size) {
                  left -= 1;
                  if (left < 0) return fail("closed", plainSentence("the process was killed"));
                  await appendEntries(ledger, ...entries.slice(start, start + size));
                }
                return { ok: true, value: { last: 0 } };
              },
            });
            await collector.catchUp();
          }
          await collectInto(ledger, folder).collector.catchUp();
          assert.deepEqual(await contentOf(ledger), wanted);
        },
      ),
      { numRuns: 12 },
    );
  });

  it("a ledger that lost its positions is filled again, with nothing counted twice", async (t) => {
    const { folder } = transcriptOf(t, 4);
    const ledger = await openHere(t);
    await collectInto(ledger, folder).collector.catchUp();
    const before = await contentOf(ledger);
    await appendEntries(ledger, { kind: "forget-positions" });
    await collectInto(ledger, folder).collector.catchUp();
    assert.deepEqual(await contentOf(ledger), before);
    assert.equal(ledger.ask("positions", null).size, 1);
  });
});

const brief = ["fork", "subagents", "compaction-manual", "resume"];

function isBrief({ scenario }: { scenario: string }): boolean {
  return brief.includes(scenario);
}

/** Removes the extra folder level of the recordings' projects. */
function flatten(projects: string): void {
  for (const name of readdirSync(projects)) {
    const folder = path.join(projects, name);
    for (const project of readdirSync(folder))
      renameSync(path.join(folder, project), path.join(projects, `${name}-${project}`));
    rmSync(folder, { recursive: true });
  }
}
