import { plainSentence, type Sentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, utimesSync, mkdirSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { Emitter, Observable } from "../../../../src/engine/base/events.ts";
import type { FoundCompaction } from "../../../../src/engine/sessions/learn.ts";
import type { LiveSnapshot } from "../../../../src/engine/sessions/live-snapshot.ts";
import { SessionSource } from "../../../../src/engine/sessions/live/sessions-source.ts";
import { SessionView, FolderFinder } from "../../../../src/engine/sessions/live/sessions-view.ts";
import { defaultContextSettings } from "../../../../src/engine/settings/contexts.ts";
import type { SessionSnapshot } from "../../../../src/engine/sessions/snapshot.ts";
import { at, compaction, cwd, response, sonnet, type Row } from "../support/rows.ts";
import { Scratch } from "../support/scratch.ts";
import { until } from "../support/until.ts";
import { claudeRoots } from "../support/live-agent.ts";
import { viewSettings } from "../support/view-settings.ts";
import path from "node:path";

const first = response({ id: "a", minute: 1, input: 50_000 });

/** The view of one root's sessions, with a clock fixed at `time.now`. */
function viewOf(test: TestContext, found: readonly FoundCompaction[] = []) {
  const scratch = new Scratch(test);
  const time = { now: at(10) };
  const env: Record<string, string> = {};
  const clock = { now: () => time.now };
  const source = new SessionSource({
    roots: claudeRoots(scratch.path("root")),
    clock,
    isAlive: () => true,
    learn: () => Promise.resolve(found),
    onProblem: (message) => assert.fail(message),
  });
  test.after(() => source.dispose());
  const changes = new Emitter<LiveSnapshot>();
  const { settings, set } = viewSettings();
  const ledgerProblem = new Observable<Sentence | null>(null);
  const observing = (session: string) => (session === "s2" ? ["output"] : []);
  const ports = { clock, settings, platform: process.platform, ledgerProblem, observing };
  const view = new SessionView(source, { env, folders: [] }, ports);
  view.follow((snapshot) => changes.fire(snapshot));
  return {
    source,
    scratch,
    time,
    env,
    ledgerProblem,
    /** Changes the settings. */
    set,
    onChange: changes.on,
    readNow: () => view.readNow(),
    append: (name: string, rows: readonly Row[]) => {
      const file = scratch.append(`root/projects/${name}`, rows);
      utimesSync(file, time.now / 1000, time.now / 1000);
      return file;
    },
    /** The session in the next snapshot that satisfies the predicate. */
    session: async (isSo: (session: SessionSnapshot) => boolean): Promise<SessionSnapshot> => {
      const { sessions } = await until(changes.on, (snapshot) => snapshot.sessions.some(isSo));
      return sessions.find(isSo) ?? assert.fail();
    },
  };
}

function turned(turns: number) {
  return (session: SessionSnapshot) => session.turns === turns;
}

describe("a view of sessions", () => {
  it("reports the state of every session, again after every append", async (test) => {
    const { source, append, session } = viewOf(test);
    append("p/s1.jsonl", [first]);
    const begun = session(turned(1));
    await source.follow();
    const { percent, live, transcript } = await begun;
    assert.deepEqual([percent, live], [25, true]);
    assert.match(transcript, /s1\.jsonl$/u);
    const next = session(turned(2));
    append("p/s1.jsonl", [response({ id: "b", minute: 2, input: 120_000 })]);
    assert.deepEqual((await next).percent, 60);
  });

  it("says which guards only observe in a session, for a trial", async (test) => {
    const { source, append, onChange } = viewOf(test);
    append("p/s1.jsonl", [first]);
    append("p/s2.jsonl", [response({ id: "b", minute: 5, input: 1000 })]);
    const begun = until(onChange, ({ sessions }) => sessions.length === 2);
    await source.follow();
    assert.deepEqual(
      (await begun).sessions.map(({ observing }) => observing),
      [["output"], undefined],
    );
  });

  it("reports the searched folders when there are no sessions", async (test) => {
    const { source, scratch, append, session, onChange } = viewOf(test);
    const empty = until(onChange, ({ complete }) => complete);
    const started = source.follow();
    const { sessions, roots, files, problems } = await empty;
    assert.deepEqual({ sessions, files, problems }, { sessions: [], files: 0, problems: [] });
    assert.deepEqual(roots, [{ agent: "claude-code", path: scratch.path("root"), exists: false }]);
    await started;
    const found = session(turned(1));
    append("p/s1.jsonl", [first]);
    await found;
  });

  it("lists the most recently active session first, and drops one that is deleted", async (test) => {
    const { source, append, onChange } = viewOf(test);
    const file = append("p/s1.jsonl", [first]);
    append("p/s2.jsonl", [response({ id: "b", minute: 5, input: 1000 })]);
    const begun = until(onChange, ({ sessions }) => sessions.length === 2);
    await source.follow();
    assert.deepEqual(
      (await begun).sessions.map(({ id }) => id),
      ["s2", "s1"],
    );
    const gone = until(onChange, ({ sessions }) => sessions.length === 1);
    rmSync(file);
    await gone;
  });

  it("updates at most twice a second, and misses nothing", async (test) => {
    const { source, append, onChange } = viewOf(test);
    append("p/s1.jsonl", [first]);
    const begun = until(onChange, ({ sessions }) => sessions.length === 1);
    await source.follow();
    await begun;
    let updates = 0;
    let last: LiveSnapshot | undefined;
    const since = performance.now();
    onChange((snapshot) => {
      updates += 1;
      last = snapshot;
    });
    let appended = 1;
    while (updates < 3 && appended < 1000) {
      appended += 1;
      append("p/s1.jsonl", [response({ id: `m${appended}`, input: appended })]);
      await pause(10);
    }
    if (last?.sessions[0]?.turns !== appended)
      await until(onChange, ({ sessions }) => sessions[0]?.turns === appended);
    // Timers are never early, so a busy machine has fewer updates in that time, never more.
    const most = 2 + (performance.now() - since) / 500;
    assert.ok(updates >= 3 && updates <= most, `${updates} updates of ${most} at most`);
  });

  it("reports nothing while nothing changed", async (test) => {
    const { source, append, session, onChange } = viewOf(test);
    const file = append("p/s1.jsonl", [first]);
    const begun = session(turned(1));
    await source.follow();
    await begun;
    const received: LiveSnapshot[] = [];
    onChange((snapshot) => received.push(snapshot));
    utimesSync(file, at(10) / 1000, at(10) / 1000);
    await pause(600);
    const next = session(turned(2));
    append("p/s1.jsonl", [response({ id: "b", minute: 2, input: 60_000 })]);
    await next;
    assert.equal(received.length, 1);
  });

  it("reports why the ledger cannot be used, until it can", async (test) => {
    const { source, append, onChange, ledgerProblem } = viewOf(test);
    append("p/s1.jsonl", [first]);
    const begun = until(onChange, ({ complete }) => complete);
    await source.follow();
    assert.equal((await begun).ledgerProblem, undefined);
    const lost = until(onChange, (snapshot) => snapshot.ledgerProblem !== undefined);
    ledgerProblem.set(plainSentence("the ledger cannot be opened: EACCES"));
    assert.equal((await lost).ledgerProblem?.text, "the ledger cannot be opened: EACCES");
    const found = until(onChange, (snapshot) => snapshot.ledgerProblem === undefined);
    ledgerProblem.set(null);
    await found;
  });

  it("applies new settings at once: thresholds without hesitation, windows, and reports errors", async (test) => {
    const { source, append, session, set, onChange } = viewOf(test);
    append("p/s1.jsonl", [response({ id: "a", minute: 1, input: 136_000 })]);
    const begun = session(({ advice }) => advice === "WRAP_UP");
    await source.follow();
    await begun;
    const calm = session(({ advice }) => advice === "CONTINUE");
    set({ ...defaultContextSettings, wrapUpAt: 30, endTurnAt: 10 });
    await calm;
    const own = until(onChange, ({ sessions }) => sessions[0]?.window.source.text === "your setting");
    set({ ...defaultContextSettings, models: { [sonnet]: { window: 300_000 }, odd: 5 } });
    const { sessions, settingProblems } = await own;
    assert.equal(Math.round(sessions[0]?.percent ?? 0), 45);
    assert.deepEqual(
      settingProblems.map(({ path }) => path),
      ["purser.models odd"],
    );
  });

  it("reads the agent's settings in the session's own root and folder again after a while", async (test) => {
    const { source, scratch, append, session, time } = viewOf(test);
    const work = scratch.path("work");
    const placed = (id: string, minute: number) => ({
      ...response({ id, minute, input: 60_000 }),
      cwd: work,
    });
    append("p/s1.jsonl", [placed("a", 1)]);
    scratch.write("root/settings.json", JSON.stringify({ autoCompactWindow: 150_000 }));
    const begun = session(({ threshold }) => threshold.value === 117_000);
    await source.follow();
    await begun;
    scratch.write("work/.claude/settings.local.json", JSON.stringify({ autoCompactEnabled: false }));
    time.now = at(11);
    const off = session(({ threshold }) => threshold.value === null);
    append("p/s1.jsonl", [placed("b", 2)]);
    assert.match((await off).threshold.source.text, /off/u);
  });

  it("learns from all transcripts and from the sessions in view, a fork's copies once", async (test) => {
    const seen = { model: sonnet, long: false, preTokens: 168_000, at: at(3) };
    const { append, readNow } = viewOf(test, [seen, { ...seen, preTokens: 166_000, at: at(-900) }]);
    const history = [first, compaction({ minute: 3, pre: 168_000, post: 900 })];
    append("p/s1.jsonl", history);
    append("p/s2.jsonl", history);
    append("p/s3.jsonl", [first, compaction({ minute: 7, pre: 170_000, post: 900 })]);
    const { sessions } = await readNow();
    assert.deepEqual(
      sessions.map(({ samples }) => samples),
      [3, 3, 3],
    );
    assert.equal(sessions[0]?.threshold.value, 166_400);
  });

  it("resets its advice at a compaction", async (test) => {
    const { source, append, session } = viewOf(test);
    append("p/s1.jsonl", [response({ id: "a", minute: 1, input: 160_000 })]);
    const begun = session(({ advice }) => advice === "END_TURN");
    await source.follow();
    await begun;
    const compacted = session(({ compactions }) => compactions === 1);
    append("p/s1.jsonl", [compaction({ minute: 2, pre: 160_000, post: 136_000 })]);
    assert.equal((await compacted).advice, "WRAP_UP");
  });

  it("uses the clock: a session without changes for long is not live", async (test) => {
    const { append, time, readNow } = viewOf(test);
    append("p/s1.jsonl", [{ ...first, cwd }]);
    const live = async () => (await readNow()).sessions[0]?.live;
    assert.equal(await live(), true);
    time.now = at(1 + 120);
    assert.equal(await live(), false);
    time.now = at(10) - 24 * 60 * 60_000;
    assert.equal(await live(), false, "the clock was set back");
  });

  it("reports that the search for compactions failed, and continues watching", async (test) => {
    const scratch = new Scratch(test);
    scratch.append("root/projects/p/s1.jsonl", [first]);
    const problems: string[] = [];
    const source = new SessionSource({
      roots: claudeRoots(scratch.path("root")),
      clock: systemClock,
      isAlive: () => true,
      learn: () => Promise.reject(new Error("no worker")),
      onProblem: (message) => problems.push(message),
    });
    test.after(() => source.dispose());
    const ports = { clock: systemClock, platform: process.platform, settings: viewSettings().settings };
    const view = new SessionView(source, { env: {}, folders: [] }, ports);
    view.follow(() => undefined);
    const event = until(view.onChange, ({ sessions }) => sessions.length === 1);
    await source.follow();
    await event;
    assert.match(problems.join(), /no worker/u);
  });

  it("leaves nothing behind that keeps its process alive", async (test) => {
    const scratch = new Scratch(test);
    scratch.append("root/projects/p/s1.jsonl", [first]);
    const program = fileURLToPath(new URL("../support/watch-and-leave.ts", import.meta.url));
    const child = spawn(process.execPath, [program, scratch.path("root")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    test.after(() => child.kill());
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const closed: unknown[] = await once(child, "close", { signal: AbortSignal.timeout(10_000) });
    assert.deepEqual([output, closed[0]], ["1 session\n", 0]);
  });
});

describe("the folder a path belongs to", () => {
  it("is the deepest of the host's, whatever their order", () => {
    const finder = new FolderFinder(["/work", "/work/deep", "/"], { platform: "linux" });
    const found = ["/work/a", "/work/deep/a", "/work/deep", "/works"].map((file) => finder.find(file));
    assert.deepEqual(found, ["/work", "/work/deep", "/work/deep", "/"]);
  });

  it("is null for a path elsewhere, for no path, and in a host without folders", () => {
    const finder = new FolderFinder(["/work"], { platform: "linux" });
    assert.deepEqual(
      ["/home", "work", null].map((file) => finder.find(file)),
      [null, null, null],
    );
    assert.equal(new FolderFinder([], { platform: "linux" }).find("/work"), null);
  });

  it("is searched once per path", (test) => {
    const scratch = new Scratch(test);
    const [repository, worktree] = [scratch.path("boats"), scratch.path("boats-fix")];
    mkdirSync(path.join(repository, ".git", "worktrees", "fix"), { recursive: true });
    scratch.write("boats-fix/.git", `gitdir: ${path.join(repository, ".git", "worktrees", "fix")}\n`);
    const finder = new FolderFinder([repository], { platform: process.platform });
    assert.equal(finder.find(worktree), repository);
    rmSync(worktree, { recursive: true });
    assert.equal(finder.find(worktree), repository, "known from before");
  });
});
