import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import * as z from "zod";
import { nodeFiles, type FilePort } from "../../../src/engine/base/disk/file-port.ts";
import { SessionFiles } from "../../../src/engine/hooks/session-files.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";

const day = 24 * 60 * 60_000;

/** The memory of successive services in one folder. */
function scene(t: TestContext) {
  const folder = path.join(scratchFolder(t), "sessions");
  const problems: string[] = [];
  const reported = { now: 1000 * day, problems };
  const begin = (files?: FilePort) => {
    const kept = new SessionFiles({
      folder,
      clock: { now: () => reported.now },
      onProblem: (message) => reported.problems.push(message),
      ...(files === undefined ? {} : { files }),
    });
    const counts = kept.memory.part("counts", { schema: z.int(), empty: 0 });
    kept.start();
    return { counts, kept };
  };
  const names = () => readdirSync(folder).sort();
  return { folder, reported, begin, names };
}

/** A disk that answers at once and records its writes in order. */
function quickDisk() {
  const written: string[] = [];
  const port: FilePort = {
    ...nodeFiles,
    create: () =>
      Promise.resolve({
        write: (bytes) => {
          written.push(Buffer.from(bytes).toString("utf8"));
          return Promise.resolve();
        },
        flush: () => assert.fail("nobody waits for the disk"),
        truncate: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
    rename: () => Promise.resolve(),
    flushFolder: () => assert.fail("nobody waits for the disk"),
  };
  return { written, port };
}

describe("the memory of sessions after the end of the service", () => {
  it("is restored for any session id, for its owner only", async (t) => {
    const { begin, names, folder } = scene(t);
    const sessions = ["s-1", "../../etc/passwd", "ß/\\:*?\u0000", "CON", "x".repeat(256)];
    const first = begin();
    for (const [index, session] of sessions.entries()) first.counts.set(session, index + 1);
    await first.kept.stop();
    assert.equal(names().length, sessions.length);
    for (const name of names()) {
      assert.match(name, /^[0-9a-f]{32}\.json$/u);
      if (process.platform !== "win32") assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
    }
    const second = begin();
    assert.deepEqual(
      sessions.map((session) => second.counts.of(session)),
      [1, 2, 3, 4, 5],
    );
    second.kept.dispose();
  });

  it("is written at once, then at most once a second, and at the end", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begin } = scene(t);
    const { written, port } = quickDisk();
    const { counts, kept } = begin(port);
    counts.set("a", 1);
    await turns();
    assert.equal(written.length, 1);
    for (let count = 2; count < 200; count += 1) counts.set("a", count);
    await turns();
    assert.equal(written.length, 1);
    t.mock.timers.tick(1000);
    await turns();
    assert.equal(written.length, 2);
    assert.match(written[1] ?? "", /"counts":199/u);
    counts.set("a", 200);
    await kept.stop();
    assert.equal(written.length, 3);
    counts.set("a", 201);
    await turns();
    assert.equal(written.length, 3);
  });

  it("is written for a session with an answered hook, before the next second", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begin } = scene(t);
    const { written, port } = quickDisk();
    const { counts, kept } = begin(port);
    counts.set("a", 1);
    await kept.settle("a");
    counts.set("a", 2);
    counts.set("b", 2);
    await kept.settle("a");
    await kept.settle("a");
    assert.deepEqual(
      written.map((text) => [
        /"session":"(?<session>\w)"/u.exec(text)?.[1],
        /"counts":(?<count>\d)/u.exec(text)?.[1],
      ]),
      [
        ["a", "1"],
        ["a", "2"],
      ],
    );
    kept.dispose();
  });

  it("is the last written state if the service was killed", async (t) => {
    const { begin, names } = scene(t);
    const killed = begin();
    killed.counts.set("a", 1);
    await waitUntil(() => names().some((name) => name.endsWith(".json")));
    // It finishes nothing, like a killed process.
    const next = begin();
    assert.equal(next.counts.of("a"), 1);
    killed.kept.dispose();
    next.kept.dispose();
  });

  it("sets aside a damaged file, reports it, and continues without it", async (t) => {
    const { begin, names, folder, reported } = scene(t);
    const first = begin();
    for (const session of ["a", "b", "c", "d"]) first.counts.set(session, 7);
    await first.kept.stop();
    const [one = "", two = "", three = ""] = names();
    const text = readFileSync(path.join(folder, two), "utf8");
    writeFileSync(path.join(folder, one), "");
    // Another session's file under this session's name, like a manual copy.
    writeFileSync(path.join(folder, three), text);
    mkdirSync(path.join(folder, `${"0".repeat(32)}.json`));
    writeFileSync(path.join(folder, ".x.tmp"), "half");
    writeFileSync(path.join(folder, "notes (conflicted copy).json"), text);
    const second = begin();
    const known = ["a", "b", "c", "d"].filter((session) => second.counts.of(session) === 7);
    assert.equal(known.length, 2);
    assert.equal(reported.problems.length, 3, reported.problems.join("\n"));
    assert.ok(reported.problems.every((problem) => problem.includes("set aside")));
    assert.equal(names().filter((name) => name.endsWith(".damaged")).length, 3);
    assert.ok(!existsSync(path.join(folder, ".x.tmp")));
    second.counts.set("a", 8);
    await second.kept.stop();
    assert.equal(begin().counts.of("a"), 8);
    assert.equal(reported.problems.length, 3, "it is said once");
  });

  it("drops one unreadable kind of state, and keeps the session's others", async (t) => {
    const { begin, folder, names, reported } = scene(t);
    const first = begin();
    first.counts.set("a", 7);
    await first.kept.stop();
    const file = path.join(folder, names()[0] ?? "");
    writeFileSync(file, readFileSync(file, "utf8").replace('"counts":7', '"counts":"7","later":1'), {
      mode: 0o600,
    });
    assert.equal(begin().counts.of("a"), 0);
    assert.match(reported.problems.join("\n"), /its counts cannot be read, and begins anew$/u);
  });

  it("forgets old sessions, but none because a clock jumped", async (t) => {
    const { begin, reported } = scene(t);
    const first = begin();
    first.counts.set("old", 1);
    await first.kept.stop();
    reported.now += 31 * day;
    const second = begin();
    assert.equal(second.counts.of("old"), 1, "nothing is newer: the clock may have jumped");
    second.counts.set("new", 1);
    await second.kept.stop();
    const third = begin();
    assert.deepEqual([third.counts.of("old"), third.counts.of("new")], [0, 1]);
    third.kept.dispose();
    reported.now -= 400 * day;
    const fourth = begin();
    assert.equal(fourth.counts.of("new"), 1);
    fourth.counts.set("of then", 1);
    await fourth.kept.stop();
    assert.deepEqual([begin().counts.of("new"), begin().counts.of("of then")], [1, 1]);
  });

  it("keeps the newest of too many, and no damaged file for ever", async (t) => {
    const { begin, folder, names, reported } = scene(t);
    const first = begin();
    for (let count = 1; count <= 520; count += 1) first.counts.set(`s-${count}`, count);
    await first.kept.stop();
    assert.equal(names().length, 500, "what was forgotten is removed");
    const damaged = path.join(folder, `${"1".repeat(32)}.json.damaged`);
    writeFileSync(damaged, "x");
    utimesSync(damaged, reported.now / 1000 - 31 * 86_400, reported.now / 1000 - 31 * 86_400);
    const { counts } = begin();
    assert.deepEqual([counts.of("s-20"), counts.of("s-21"), counts.of("s-520")], [0, 21, 520]);
    assert.ok(!existsSync(damaged));
  });

  it("writes with the next change, or at the end, what could not be written", async (t) => {
    const { begin, reported } = scene(t);
    let isFull = true;
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    const port: FilePort = {
      ...nodeFiles,
      create: (file) => (isFull ? Promise.reject(full) : nodeFiles.create(file)),
    };
    const { counts, kept } = begin(port);
    counts.set("a", 1);
    await waitUntil(() => reported.problems.length === 1);
    assert.match(reported.problems[0] ?? "", /ENOSPC$/u);
    isFull = false;
    await kept.stop();
    assert.equal(begin().counts.of("a"), 1);
  });

  it("works without files if they cannot be stored", async (t) => {
    const { begin, folder, reported } = scene(t);
    writeFileSync(folder, "a file");
    const { counts, kept } = begin();
    counts.set("a", 1);
    await kept.stop();
    assert.equal(counts.of("a"), 1);
    assert.match(reported.problems.join("\n"), /What is known of sessions is not kept: /u);
  });
});

/** Lets all pending callbacks run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
