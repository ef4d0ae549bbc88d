import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, utimesSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FoundCompaction } from "../../../src/engine/context/learn.ts";
import { Monitor, type LiveSnapshot } from "../../../src/engine/context/monitor.ts";
import { defaultSettings } from "../../../src/engine/context/settings.ts";
import type { SessionSnapshot } from "../../../src/engine/context/snapshot.ts";
import { at, compaction, cwd, response, sonnet, type Row } from "./support/rows.ts";
import { Scratch } from "./support/scratch.ts";
import { until } from "./support/until.ts";

const first = response({ id: "a", minute: 1, input: 50_000 });

/** A monitor of one root, not begun yet, with a clock that stands at `time.now`. */
function monitorOf(test: TestContext, found: readonly FoundCompaction[] = []) {
  const scratch = new Scratch(test);
  const time = { now: at(10) };
  const env: Record<string, string> = {};
  const ports = {
    roots: [scratch.path("root")],
    clock: { now: () => time.now },
    platform: process.platform,
    isAlive: () => true,
    env,
    learn: () => Promise.resolve(found),
  };
  const monitor = new Monitor(ports, defaultSettings);
  test.after(() => monitor.dispose());
  return {
    monitor,
    scratch,
    time,
    env,
    append: (name: string, rows: readonly Row[]) => {
      const place = scratch.append(`root/projects/${name}`, rows);
      utimesSync(place, time.now / 1000, time.now / 1000);
      return place;
    },
    /** The next snapshot in which this holds of the one session. */
    session: async (isSo: (session: SessionSnapshot) => boolean): Promise<SessionSnapshot> => {
      const { sessions } = await until(monitor.onChange, (snapshot) => snapshot.sessions.some(isSo));
      return sessions.find(isSo) ?? assert.fail();
    },
  };
}

function turned(turns: number) {
  return (session: SessionSnapshot) => session.turns === turns;
}

describe("a monitor", () => {
  it("tells how every session stands, again after every append", async (test) => {
    const { monitor, session, append } = monitorOf(test);
    append("p/s1.jsonl", [first]);
    const begun = session(turned(1));
    await monitor.start();
    const { percent, live, transcript } = await begun;
    assert.deepEqual([percent, live], [25, true]);
    assert.match(transcript, /s1\.jsonl$/u);
    const next = session(turned(2));
    append("p/s1.jsonl", [response({ id: "b", minute: 2, input: 120_000 })]);
    assert.deepEqual((await next).percent, 60);
  });

  it("tells where it looks when there is nothing", async (test) => {
    const { monitor, scratch, append, session } = monitorOf(test);
    const empty = until(monitor.onChange, ({ complete }) => complete);
    const started = monitor.start();
    const { sessions, roots, files, problems } = await empty;
    assert.deepEqual({ sessions, files, problems }, { sessions: [], files: 0, problems: [] });
    assert.deepEqual(roots, [{ path: scratch.path("root"), exists: false }]);
    await started;
    const found = session(turned(1));
    append("p/s1.jsonl", [first]);
    await found;
  });

  it("lists the most recently active session first, and drops one that is deleted", async (test) => {
    const { monitor, append } = monitorOf(test);
    const place = append("p/s1.jsonl", [first]);
    append("p/s2.jsonl", [response({ id: "b", minute: 5, input: 1000 })]);
    const begun = until(monitor.onChange, ({ sessions }) => sessions.length === 2);
    await monitor.start();
    assert.deepEqual(
      (await begun).sessions.map(({ id }) => id),
      ["s2", "s1"],
    );
    const gone = until(monitor.onChange, ({ sessions }) => sessions.length === 1);
    rmSync(place);
    await gone;
  });

  it("updates at most twice a second, and misses nothing", async (test) => {
    const { monitor, append } = monitorOf(test);
    append("p/s1.jsonl", [first]);
    const begun = until(monitor.onChange, ({ sessions }) => sessions.length === 1);
    await monitor.start();
    await begun;
    const times: number[] = [];
    let last: LiveSnapshot | undefined;
    monitor.onChange((snapshot) => {
      times.push(performance.now());
      last = snapshot;
    });
    let appended = 1;
    while (times.length < 3 && appended < 1000) {
      appended += 1;
      append("p/s1.jsonl", [response({ id: `m${appended}`, input: appended })]);
      await pause(10);
    }
    if (last?.sessions[0]?.turns !== appended)
      await until(monitor.onChange, ({ sessions }) => sessions[0]?.turns === appended);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.ok(gaps.length >= 2 && Math.min(...gaps) > 450, gaps.join(" "));
  });

  it("says nothing while nothing changed", async (test) => {
    const { monitor, append, session } = monitorOf(test);
    const place = append("p/s1.jsonl", [first]);
    const begun = session(turned(1));
    await monitor.start();
    await begun;
    const heard: LiveSnapshot[] = [];
    monitor.onChange((snapshot) => heard.push(snapshot));
    utimesSync(place, at(10) / 1000, at(10) / 1000);
    monitor.configure(defaultSettings);
    await pause(600);
    monitor.configure(defaultSettings);
    const next = session(turned(2));
    append("p/s1.jsonl", [response({ id: "b", minute: 2, input: 60_000 })]);
    await next;
    assert.equal(heard.length, 1);
  });

  it("takes new settings at once: thresholds without hesitation, windows, and says what is wrong", async (test) => {
    const { monitor, append, session } = monitorOf(test);
    append("p/s1.jsonl", [response({ id: "a", minute: 1, input: 102_000 })]);
    const begun = session(({ advice }) => advice === "WRAP_UP");
    await monitor.start();
    await begun;
    const calm = session(({ advice }) => advice === "CONTINUE");
    monitor.configure({ ...defaultSettings, wrapUpAt: 48 });
    await calm;
    const own = until(monitor.onChange, ({ sessions }) => sessions[0]?.window.source === "your setting");
    monitor.configure({ ...defaultSettings, models: { [sonnet]: { window: 300_000 }, odd: 5 } });
    const { sessions, problems } = await own;
    assert.equal(sessions[0]?.percent, 34);
    assert.deepEqual(
      problems.map(({ path }) => path),
      ["purser.models odd"],
    );
  });

  it("reads the agent's settings of the session's own root and folder again after a while", async (test) => {
    const { monitor, scratch, append, session, time } = monitorOf(test);
    const work = scratch.path("work");
    const placed = (id: string, minute: number) => ({
      ...response({ id, minute, input: 60_000 }),
      cwd: work,
    });
    append("p/s1.jsonl", [placed("a", 1)]);
    scratch.write("root/settings.json", JSON.stringify({ autoCompactWindow: 150_000 }));
    const begun = session(({ threshold }) => threshold.value === 117_000);
    await monitor.start();
    await begun;
    scratch.write("work/.claude/settings.local.json", JSON.stringify({ autoCompactEnabled: false }));
    time.now = at(11);
    const off = session(({ threshold }) => threshold.value === null);
    append("p/s1.jsonl", [placed("b", 2)]);
    assert.match((await off).threshold.source, /off/u);
  });

  it("learns from all transcripts and from the sessions in view, a fork's copies once", async (test) => {
    const seen = { model: sonnet, long: false, preTokens: 168_000, at: at(3) };
    const { monitor, append } = monitorOf(test, [seen, { ...seen, preTokens: 166_000, at: at(-900) }]);
    const history = [first, compaction({ minute: 3, pre: 168_000, post: 900 })];
    append("p/s1.jsonl", history);
    append("p/s2.jsonl", history);
    append("p/s3.jsonl", [first, compaction({ minute: 7, pre: 170_000, post: 900 })]);
    const { sessions } = await monitor.readOnce();
    assert.deepEqual(
      sessions.map(({ samples }) => samples),
      [3, 3, 3],
    );
    assert.equal(sessions[0]?.threshold.value, 166_400);
  });

  it("forgets its advice's past with a compaction", async (test) => {
    const { monitor, append, session } = monitorOf(test);
    append("p/s1.jsonl", [response({ id: "a", minute: 1, input: 130_000 })]);
    const begun = session(({ advice }) => advice === "END_TURN");
    await monitor.start();
    await begun;
    const compacted = session(({ compactions }) => compactions === 1);
    append("p/s1.jsonl", [compaction({ minute: 2, pre: 130_000, post: 118_000 })]);
    assert.equal((await compacted).advice, "WRAP_UP");
  });

  it("goes by the clock: a session that was quiet for long is not live", async (test) => {
    const { monitor, append, time } = monitorOf(test);
    append("p/s1.jsonl", [{ ...first, cwd }]);
    const live = async () => (await monitor.readOnce()).sessions[0]?.live;
    assert.equal(await live(), true);
    time.now = at(1 + 120);
    assert.equal(await live(), false);
  });

  it("rejects when the search for compactions fails, and still watches", async (test) => {
    const scratch = new Scratch(test);
    scratch.append("root/projects/p/s1.jsonl", [first]);
    const monitor = new Monitor(
      {
        roots: [scratch.path("root")],
        clock: { now: () => Date.now() },
        platform: process.platform,
        isAlive: () => true,
        env: {},
        learn: () => Promise.reject(new Error("no worker")),
      },
      defaultSettings,
    );
    test.after(() => monitor.dispose());
    const told = until(monitor.onChange, ({ sessions }) => sessions.length === 1);
    await assert.rejects(monitor.start(), /no worker/u);
    await told;
  });

  it("leaves nothing behind that keeps its process", async (test) => {
    const scratch = new Scratch(test);
    scratch.append("root/projects/p/s1.jsonl", [first]);
    const program = fileURLToPath(new URL("support/watch-and-leave.ts", import.meta.url));
    const child = spawn(process.execPath, [program, scratch.path("root")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    test.after(() => child.kill());
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    const closed: unknown[] = await once(child, "close", { signal: AbortSignal.timeout(10_000) });
    assert.deepEqual([said, closed[0]], ["1 session\n", 0]);
  });
});
