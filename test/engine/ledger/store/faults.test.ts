import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import test from "node:test";
import fc from "fast-check";
import { nodeRandomFiles } from "../../../../src/engine/ledger/pages/random-file.ts";
import { openLedger } from "../../../../src/engine/ledger/store/open.ts";
import { describeOpening } from "../../../../src/engine/ledger/store/opening-report.ts";
import { workingPaths } from "../../../../src/engine/ledger/pages/working-file.ts";
import { segmentPath } from "../../../../src/engine/ledger/journal/segment.ts";
import { scratchFolder } from "../../support/scratch.ts";
import {
  diesAfter,
  flipByte,
  FullDisk,
  ids,
  ledgerPorts,
  open,
  response,
  segments,
  systemError,
  appendEntries,
} from "../support/support.ts";

const position = { kind: "position", path: "/a", identity: "1:2", offset: 10 } as const;

/** A folder with a closed ledger of these appends. */
async function written(t: test.TestContext, appends: number[][], isSnapped = false): Promise<string> {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, position);
  for (const numbers of appends) await appendEntries(ledger, ...numbers.map((number) => response(number)));
  if (isSnapped) await ledger.snapshot();
  await ledger.close();
  return folder;
}

test("A torn last line is dropped and reported; acknowledged entries stay", async (t) => {
  const folder = await written(t, [[1], [2]]);
  appendFileSync(segments(folder)[0] ?? "", `{"crc":"0000`);
  const ledger = await open(t, folder);
  assert.deepEqual(ids(ledger), ["msg_1", "msg_2"]);
  assert.equal(ledger.report.journal.tornBytes, 12);
  assert.equal(ledger.report.reread, false);
  assert.equal(ledger.ask("positions", null).size, 1);
  assert.match(
    describeOpening(ledger.report)
      .map(({ text }) => text)
      .join("\n"),
    /12 bytes of an unfinished write/u,
  );
});

test("A journal that is cut off at any byte yields the whole entries", async (t) => {
  const folder = await written(t, [[1], [2], [3]]);
  const [file = ""] = segments(folder);
  const whole = readFileSync(file);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), async (length) => {
      writeFileSync(file, whole.subarray(0, length));
      const opened = await openLedger({ ...ledgerPorts(), folder, access: "read" });
      assert.ok(opened.ok);
      const lines = whole.subarray(0, length).toString().split("\n").length - 1;
      assert.equal(opened.value.report.journal.replayed, Math.max(0, lines - 1));
      assert.equal(opened.value.report.journal.damagedLines, 0);
      await opened.value.close();
    }),
    { numRuns: 40 },
  );
});

test("A flipped byte anywhere in the journal is noticed, costs one line, and transcripts are read again", async (t) => {
  const folder = await written(t, [[1], [2], [3]]);
  const [file = ""] = segments(folder);
  const whole = readFileSync(file);
  const isNewline = (index: number) => whole[index] === 0x0a;
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 7 }), async (index, bit) => {
      const bytes = Buffer.from(whole);
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
      writeFileSync(file, bytes);
      const opened = await openLedger({ ...ledgerPorts(), folder, access: "read" });
      assert.ok(opened.ok);
      const { replayed, damagedLines, tornBytes } = opened.value.report.journal;
      assert.ok(damagedLines > 0 || tornBytes > 0, "noticed");
      assert.ok(replayed >= (isNewline(index) ? 2 : 3), `${replayed} of 4`);
      await opened.value.close();
    }),
    { numRuns: 60 },
  );
  writeFileSync(file, whole);
  flipByte(file, Math.floor(whole.length / 2));
  const ledger = await open(t, folder);
  assert.equal(ledger.report.reread, true);
  assert.equal(ledger.ask("positions", null).size, 0);
  assert.equal(ledger.report.journal.lost, 1);
  await ledger.close();
  assert.equal((await open(t, folder)).report.reread, false, "reported once");
});

test("A damaged segment is kept under another name when the journal is trimmed", async (t) => {
  const folder = await written(t, [[1], [2], [3]]);
  flipByte(segments(folder)[0] ?? "", 400);
  const ledger = await open(t, folder);
  for (const number of [4, 5]) {
    await appendEntries(ledger, response(number));
    await ledger.snapshot();
  }
  const kept = readdirSync(path.join(folder, "journal")).filter((name) => name.endsWith(".damaged"));
  assert.equal(kept.length, 1);
});

test("A missing segment is reported as a gap", async (t) => {
  const folder = await written(t, [[1]]);
  const second = await open(t, folder);
  await appendEntries(second, response(2));
  await second.close();
  const third = await open(t, folder);
  await appendEntries(third, response(3));
  await third.close();
  rmSync(segments(folder)[1] ?? "");
  const ledger = await open(t, folder);
  assert.equal(ledger.report.journal.lost, 1);
  assert.equal(ledger.report.reread, true);
  assert.deepEqual(ids(ledger), ["msg_1", "msg_3"]);
});

/** A ledger of three responses, the first two in a snapshot and in the working file. */
async function snapped(t: test.TestContext): Promise<string> {
  const folder = await written(t, [[1]], true);
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(2));
  await ledger.snapshot();
  await appendEntries(ledger, response(3));
  await ledger.close();
  return folder;
}

test("A damaged working file is set aside, and made again from the snapshot and the journal", async (t) => {
  const folder = await snapped(t);
  flipByte(path.join(folder, "ledger.work.sqlite"), -100);
  const ledger = await open(t, folder);
  assert.deepEqual(ids(ledger), ["msg_1", "msg_2", "msg_3"]);
  assert.equal(ledger.report.snapshot, "previous");
  assert.equal(ledger.report.reread, false);
  assert.ok(readdirSync(folder).some((name) => name.startsWith("ledger.work.damaged-")));
  assert.match(
    describeOpening(ledger.report)
      .map(({ text }) => text)
      .join("\n"),
    /was damaged .* it is kept as/u,
  );
  assert.deepEqual(await ledger.check(), []);
});

test("Any flipped byte of the working file or of its sums is noticed", async (t) => {
  const folder = await snapped(t);
  const { file, sums } = workingPaths(folder);
  const kept = [file, sums].map((each) => [each, readFileSync(each)] as const);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...kept), fc.nat(), async ([damaged, bytes], index) => {
      for (const [each, whole] of kept) writeFileSync(each, whole);
      flipByte(damaged, index % bytes.length);
      const opened = await openLedger({ ...ledgerPorts(), folder });
      assert.ok(opened.ok);
      assert.equal(opened.value.report.snapshot, "previous");
      assert.deepEqual(ids(opened.value), ["msg_1", "msg_2", "msg_3"]);
      await opened.value.close();
    }),
    { numRuns: 25 },
  );
});

test("A damaged snapshot is reported by a check, and the next one replaces it", async (t) => {
  const folder = await snapped(t);
  const file = path.join(folder, "ledger.sqlite");
  flipByte(file, -100);
  const ledger = await open(t, folder);
  assert.deepEqual([ids(ledger), ledger.report.setAside], [["msg_1", "msg_2", "msg_3"], []]);
  assert.deepEqual(await ledger.check(), [`${file}: damaged`]);
  assert.ok((await ledger.snapshot()).ok);
  assert.deepEqual(await ledger.check(), []);
});

test("If both are damaged, everything comes from the journal, and transcripts are read again", async (t) => {
  const folder = await snapped(t);
  for (const name of ["ledger.sqlite", "ledger.work.sqlite"]) flipByte(path.join(folder, name), 2000);
  const ledger = await open(t, folder);
  assert.equal(ledger.report.snapshot, "none");
  assert.equal(ledger.report.setAside.length, 2);
  assert.equal(ledger.report.reread, true);
  assert.ok(ids(ledger).includes("msg_3"));
  assert.equal(readdirSync(folder).filter((name) => name.includes("damaged-")).length, 2);
});

test("A snapshot without its sums is checked by SQLite", async (t) => {
  const folder = await written(t, [[1]], true);
  rmSync(path.join(folder, "ledger.sums.json"));
  rmSync(path.join(folder, "ledger.work.sqlite"));
  assert.equal((await open(t, folder)).report.snapshot, "current");
});

test("On a full disk nothing is acknowledged or broken, and free space is enough to continue", async (t) => {
  const folder = scratchFolder(t);
  const disk = new FullDisk();
  const ledger = await open(t, folder, { files: disk.files });
  await appendEntries(ledger, response(1));
  for (const room of [0, 10, 150]) {
    disk.room = room;
    const refused = await ledger.append([response(2)]);
    assert.ok(!refused.ok && refused.reason === "disk_full");
    assert.match(refused.detail.text, /: ENOSPC\. What to do: free some space .+ purser goes on by itself$/u);
    const snapshot = await ledger.snapshot();
    assert.equal(snapshot.ok || snapshot.reason, "disk_full");
  }
  assert.deepEqual(ids(ledger), ["msg_1"]);
  disk.room = Infinity;
  await appendEntries(ledger, response(3));
  assert.ok((await ledger.snapshot()).ok);
  await appendEntries(ledger, response(4));
  await ledger.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".tmp")),
    [],
  );
  const again = await open(t, folder);
  assert.deepEqual(ids(again), ["msg_1", "msg_3", "msg_4"]);
  assert.equal(again.report.journal.lost, 0);
});

test("A failed flush acknowledges nothing, and the next append goes elsewhere", async (t) => {
  const folder = scratchFolder(t);
  const disk = new FullDisk();
  const ledger = await open(t, folder, { files: disk.files });
  await appendEntries(ledger, response(1));
  disk.failingFlushes = 1;
  const refused = await ledger.append([response(2)]);
  assert.equal(refused.ok || refused.reason, "write_failed");
  await appendEntries(ledger, response(3));
  await ledger.close();
  assert.equal(segments(folder).length, 2);
  const again = await open(t, folder);
  assert.deepEqual([ids(again), again.report.journal.lost], [["msg_1", "msg_3"], 0]);
});

test("A read-only folder is opened for reading", async (t) => {
  const folder = await written(t, [[1]]);
  const files = { ...nodeRandomFiles, create: () => Promise.reject(systemError("EROFS")) };
  const ledger = await open(t, folder, { files });
  assert.equal(ledger.readOnly?.reason, "unwritable_folder");
  assert.deepEqual(ids(ledger), ["msg_1"]);
  const refused = await ledger.append([response(2)]);
  assert.equal(refused.ok || refused.reason, "read_only");
});

test("A folder that cannot be created or read is reported by its name", async (t) => {
  const file = path.join(scratchFolder(t), "file");
  writeFileSync(file, "");
  const opened = await openLedger({ ...ledgerPorts(), folder: path.join(file, "purser") });
  assert.equal(opened.ok || opened.reason, "unreadable");
});

test("A clock that goes back changes nothing: numbers order the journal", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(ledger, response(1, { at: 2_000_000_000_000 }));
  await ledger.close();
  const later = await open(t, folder);
  await appendEntries(
    later,
    response(1, { at: 1000, usage: { ...response(9).usage, output: 9 } }),
    response(2, { at: 500 }),
  );
  await later.close();
  const again = await open(t, folder);
  assert.deepEqual(
    again.ask("responses", "session-1").map(({ messageId, at, usage }) => [messageId, at, usage.output]),
    [
      ["msg_2", 500, 2],
      ["msg_1", 1000, 9],
    ],
  );
});

/** The rest of a killed process never runs: its lock stays, and its pid no longer responds. */
const deadPid = process.pid + 1;

for (const act of ["snapshot", "checkpoint", "compact"] as const)
  test(`After a kill at any step of a ${act}, nothing is lost, whoever opens it next`, async (t) => {
    const folder = scratchFolder(t);
    let reported = 0;
    let isOver = false;
    for (let steps = 0; !isOver; steps += 1) {
      const files = diesAfter(steps);
      const ledger = await open(t, folder, { files: files.port, pid: deadPid });
      assert.equal(ledger.readOnly, null);
      const numbers = Array.from({ length: 40 }, () => (reported += 1));
      await appendEntries(ledger, ...numbers.map((number) => response(number)));
      files.arm();
      const done = await ledger[act]();
      isOver = !files.isDead;
      assert.equal(done.ok, isOver, `after ${steps} steps`);
      for (const access of ["read", "write"] as const) {
        const after = await open(t, folder, { access });
        assert.equal(ids(after).length, reported, `after ${steps} steps`);
        assert.equal(after.report.journal.lost, 0);
        assert.deepEqual(after.report.setAside, []);
        assert.deepEqual(await after.check(), []);
        await after.close();
      }
    }
    assert.ok(reported > 200, `${reported} responses were reported`);
  });

test("A second copy of a segment, and one moved in by hand, change nothing", async (t) => {
  const folder = await written(t, [[1], [2]]);
  const [file = ""] = segments(folder);
  copyFileSync(file, segmentPath(path.join(folder, "journal"), 1, 7));
  mkdirSync(path.join(folder, "journal", "0000000000000009-0000.txt"));
  const ledger = await open(t, folder);
  assert.deepEqual([ids(ledger), ledger.report.journal.lost], [["msg_1", "msg_2"], 0]);
});

test("A vanished snapshot or working file is made again from the other", async (t) => {
  for (const name of ["ledger.sqlite", "ledger.work.sqlite", "ledger.work.log"]) {
    const folder = await snapped(t);
    rmSync(path.join(folder, name), { force: true });
    const ledger = await open(t, folder);
    assert.deepEqual([ids(ledger), ledger.report.snapshot], [["msg_1", "msg_2", "msg_3"], "current"]);
    await ledger.snapshot();
    assert.deepEqual(await ledger.check(), []);
    assert.ok(readdirSync(folder).includes("ledger.sqlite"));
  }
});
