import assert from "node:assert/strict";
import { test } from "node:test";
import { SamplePlay, type PlayPorts } from "../../../src/extension/sample/play.ts";

/** A play whose time is the test's: each wait ends at once, and what it lasted is summed up. */
function begin(own: Partial<PlayPorts> = {}) {
  const written = new Map<string, string[]>();
  const time = { now: Date.UTC(2026, 10, 30, 12), played: 0 };
  const problems: string[] = [];
  const handed: string[] = [];
  const play = new SamplePlay({
    cwd: "/tmp/sample/harbor",
    append: (id, rows) => {
      written.set(id, [...(written.get(id) ?? []), ...rows]);
      return Promise.resolve();
    },
    handOver: (id) => {
      handed.push(id);
      return Promise.resolve("Handover h00000001: Fix the booking dates");
    },
    wait: (ms) => {
      time.now += ms;
      time.played += ms;
      return Promise.resolve();
    },
    now: () => time.now,
    onProblem: (problem) => void problems.push(problem),
    ...own,
  });
  return { play, written, time, problems, handed };
}

const contextOf = (row: string) => {
  const [, created = "0", read = "0"] =
    /"cache_creation_input_tokens":(\d+),"cache_read_input_tokens":(\d+)/u.exec(row) ?? [];
  return Number(created) + Number(read);
};

test("A session goes from room enough to none in less than a minute, and a new one begins with its handover", async () => {
  const { play, written, time, handed } = begin();
  await play.prepare();
  const first = play.shownId;
  assert.equal(Math.max(...(written.get(first) ?? []).map(contextOf)), 363_000);
  await play.play();
  assert.ok(time.played > 30_000 && time.played < 60_000, String(time.played));
  const held = (written.get(first) ?? []).map(contextOf).filter((tokens) => tokens > 0);
  assert.ok((held.at(-1) ?? 0) > 900_000 && (held.at(-1) ?? 0) < 960_000);
  assert.deepEqual(handed, [first]);
  const rows = written.get(play.shownId) ?? [];
  assert.notEqual(play.shownId, first);
  assert.match(rows[0] ?? "", /Handover h00000001/u);
  assert.deepEqual([play.isPlaying, play.openId], [false, null]);
});

test("The texts are as long as their tokens say", async () => {
  const { play, written } = begin();
  await play.prepare();
  const rows = written.get(play.shownId) ?? [];
  const results = rows.filter((row) => row.includes("tool_result"));
  const characters = results.reduce((sum, row) => sum + row.length, 0) / results.length;
  assert.ok(characters / 18_000 > 3.4 && characters / 18_000 < 4.4, String(characters));
});

test("It can be stopped, goes on where it was, and begins again once the work went over", async () => {
  const { play, written } = begin();
  await play.prepare();
  const id = play.shownId;
  const playing = play.play();
  await play.play();
  play.stop();
  await playing;
  assert.equal(play.isPlaying, false);
  const count = written.get(id)?.length ?? 0;
  assert.ok(count < 60, String(count));
  await play.play();
  assert.ok((written.get(id)?.length ?? 0) > 90);
  await play.play();
  assert.equal(written.size, 4);
});

test("The person may hand over before the time: no more turns follow, and it happens once", async () => {
  const { play, written, handed } = begin();
  await play.prepare();
  const id = play.shownId;
  await Promise.all([play.relay("Handover h00000002: now"), play.relay("Handover h00000003: again")]);
  assert.deepEqual(handed, []);
  assert.equal(written.size, 2);
  assert.match(written.get(`${id.slice(0, -1)}b`)?.[0] ?? "", /h00000002/u);
});

test("Where the handover cannot be written the session stays, and a full disk is reported", async () => {
  const { play } = begin({ handOver: () => Promise.resolve(null) });
  await play.prepare();
  const id = play.shownId;
  await play.play();
  assert.equal(play.shownId, id);
  let isFull = false;
  const full = begin({
    append: () => (isFull ? Promise.reject(new Error("ENOSPC")) : Promise.resolve()),
  });
  await full.play.prepare();
  isFull = true;
  await full.play.play();
  assert.deepEqual(
    [full.play.isPlaying, full.problems],
    [false, ["The sample's session could not be played: Error: ENOSPC"]],
  );
});
