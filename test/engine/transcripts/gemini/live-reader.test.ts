import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { SessionFeed } from "../../../../src/engine/sessions/live/sessions-feed.ts";
import {
  ChatFinder,
  readCompressionSettings,
  liveReader,
} from "../../../../src/engine/transcripts/gemini/live-reader.ts";
import { until } from "../../sessions/support/until.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { call, header, list, prompt, reply, sessionId, timeAt, type Row } from "./chat-rows.ts";
import fc from "fast-check";

const now = Date.parse(timeAt(60));
const text = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const named = `session-2026-11-02T09-00-${sessionId.slice(0, 8)}`;

/** A root with one project, `harbor`. */
function rootWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = path.join(scratchFolder(t), ".gemini", "tmp");
  mkdirSync(root, { recursive: true });
  const all = { "harbor/.project_root": "/home/dev/harbor", ...files };
  writeTree(root, all);
  for (const name of Object.keys(all)) utimesSync(path.join(root, name), now / 1000, now / 1000);
  return root;
}

const found = (finder: ChatFinder, since = 0) =>
  finder
    .find(since)
    .files.map(({ path: file, sessionId: id, agentId }) => [path.basename(file), id, agentId]);

describe("Gemini's sessions", () => {
  it("are found by the id in their header, including subagents", (t) => {
    const root = rootWith(t, {
      [`harbor/chats/${named}.jsonl`]: text([header()]),
      [`harbor/chats/${named.replace("09-00", "09-01")}.jsonl`]: text([header()]),
      [`harbor/chats/${sessionId}/a1.jsonl`]: text([header({ sessionId: "a1", kind: "subagent" })]),
      "harbor/chats/session-2026-11-02T09-02-00000000.jsonl": "",
      "harbor/logs.json": "[]",
    });
    const finder = new ChatFinder([root, path.join(root, "missing")]);
    assert.deepEqual(found(finder), [
      [`${named}.jsonl`, sessionId, null],
      [`${named.replace("09-00", "09-01")}.jsonl`, sessionId, null],
      ["a1.jsonl", sessionId, "a1"],
    ]);
    assert.equal(finder.find(0).running.size, 0);
  });

  it("are not opened when they are old", (t) => {
    const root = rootWith(t, { [`harbor/chats/${named}.jsonl`]: text([header()]) });
    assert.deepEqual(found(new ChatFinder([root]), now + 1), [[`${named}.jsonl`, named, null]]);
  });

  it("are read in the old format, unless they were resumed: then they are copied beside it", (t) => {
    const whole = JSON.stringify({ ...header(), messages: [] }, null, 2);
    const root = rootWith(t, { [`harbor/chats/${named}.json`]: whole });
    const finder = new ChatFinder([root]);
    assert.deepEqual(found(finder), [[`${named}.json`, sessionId, null]]);
    writeFileSync(path.join(root, `harbor/chats/${named}.jsonl`), text([header()]));
    assert.deepEqual(found(finder), [[`${named}.jsonl`, sessionId, null]]);
  });

  it("may appear with a project, its folder of chats, or a file in it", (t) => {
    const root = rootWith(t, {});
    const finder = new ChatFinder([root]);
    const matters = (name: string) => finder.matters(path.join(root, name));
    const names = ["harbor", "harbor/chats", "harbor/chats/x.jsonl", "harbor/chats/s/a.jsonl"];
    assert.deepEqual(names.map(matters), [true, true, true, true]);
    assert.deepEqual(["harbor/logs.json", "harbor/tool-outputs/1", "..", "../x"].map(matters), [
      false,
      false,
      false,
      false,
    ]);
    finder.find(0);
    assert.ok([...finder.folders([])].includes(path.join(root, "harbor", "chats")));
  });
});

function feedOf(t: TestContext, root: string): SessionFeed {
  const feed = new SessionFeed({
    roots: [{ agent: "gemini", path: root }],
    clock: { now: () => now },
    isAlive: () => false,
  });
  t.after(() => feed.dispose());
  return feed;
}

describe("a feed of Gemini's sessions", () => {
  it("follows a session, its subagent, and the file that a resume adds", async (t) => {
    const chats = "harbor/chats";
    const root = rootWith(t, {
      [`${chats}/${named}.jsonl`]: text([
        header(),
        prompt("p1", "Count the boats."),
        reply("m1", { input: 100 }),
      ]),
    });
    const feed = feedOf(t, root);
    const begun = until(feed.onChange, () => feed.complete);
    await feed.start();
    await begun;
    const account = () => feed.readers.get(sessionId)?.account;
    assert.deepEqual([account()?.main.occupancy(), account()?.cwd], [100, "/home/dev/harbor"]);
    const grown = until(feed.onChange, () => account()?.main.occupancy() === 200);
    appendFileSync(path.join(root, chats, `${named}.jsonl`), text([reply("m2", { input: 200 })]));
    await grown;
    const joined = until(feed.onChange, () => account()?.subagents.get("a1")?.chain.occupancy() === 7);
    writeTree(root, {
      [`${chats}/${sessionId}/a1.jsonl`]: text([header({ sessionId: "a1" }), reply("n1", { input: 7 })]),
      [`${chats}/${named.replace("09-00", "09-01")}.jsonl`]: text([
        header(),
        list([prompt("c", "<session_context>")]),
      ]),
    });
    await joined;
    const resumed = until(feed.onChange, () => account()?.main.occupancy() === 300);
    appendFileSync(
      path.join(root, chats, `${named}.jsonl`),
      text([header(), reply("m3", { input: 300 }, { toolCalls: [call("c1")] })]),
    );
    await resumed;
    assert.deepEqual([account()?.main.turns, account()?.own.usage().input], [3, 607]);
    assert.equal(feed.readers.get(sessionId)?.transcript, path.join(root, chats, `${named}.jsonl`));
  });

  it("follows a session of the old format, which is rewritten as a whole", async (t) => {
    const file = `harbor/chats/${named}.json`;
    const whole = (messages: readonly Row[]) => JSON.stringify({ ...header(), messages });
    const first = [prompt("p1", "Count."), reply("m1", { input: 100 })];
    const root = rootWith(t, { [file]: whole(first) });
    const feed = feedOf(t, root);
    await feed.readOnce();
    const { account } = feed.readers.get(sessionId) ?? assert.fail();
    assert.deepEqual([account.main.occupancy(), account.main.prompts], [100, 1]);
    for (const content of [whole([...first, reply("m2", { input: 250 })]), '{"sessionId":', "5"]) {
      writeFileSync(path.join(root, file), content);
      await feed.readOnce();
    }
    const { main, own } = account;
    assert.deepEqual([main.occupancy(), main.prompts, main.turns, own.usage().input], [250, 1, 2, 350]);
    rmSync(path.join(root, file));
    await feed.readOnce();
    await feed.readOnce();
    assert.equal(feed.readers.size, 0);
  });
});

/** Settings with these files. Strings are written verbatim. */
function settingsOf(t: TestContext, { user, project }: { user?: unknown; project?: unknown }) {
  const folder = scratchFolder(t);
  const files = { ".gemini/settings.json": user, "work/.gemini/settings.json": project };
  for (const [name, content] of Object.entries(files))
    if (content !== undefined)
      writeTree(folder, { [name]: typeof content === "string" ? content : JSON.stringify(content) });
  return readCompressionSettings({
    root: path.join(folder, ".gemini", "tmp"),
    cwd: path.join(folder, "work"),
  });
}

const threshold = (compressionThreshold: unknown) => ({ model: { compressionThreshold } });

describe("Gemini's settings", () => {
  it("compress at half of the window by default; the project's override the user's", (t) => {
    const percentOf = (files: Parameters<typeof settingsOf>[1]) => settingsOf(t, files).compactPercent;
    assert.equal(percentOf({}), 50);
    assert.equal(percentOf({ user: threshold(0.57) }), 57);
    assert.equal(percentOf({ user: threshold(0.2), project: threshold(0.3) }), 30);
    assert.equal(percentOf({ user: threshold(0.2), project: { model: { name: "auto" } } }), 20);
    assert.equal(percentOf({ user: '{\n// Mine.\n"model": {"compressionThreshold": 0.8,},\n}' }), 80);
    assert.equal(percentOf({ user: threshold(0.2), project: "[".repeat(200_000) }), 20, "too deep to parse");
    for (const odd of [0, -1, "0.2", null]) assert.equal(percentOf({ user: threshold(odd) }), 50);
    assert.equal(readCompressionSettings({ root: null, cwd: "work" }).compactPercent, 50);
  });

  it("never compress in profiles that keep the history short in another way", (t) => {
    const isOn = (files: Parameters<typeof settingsOf>[1]) => settingsOf(t, files).autoCompact;
    assert.equal(isOn({}), true);
    assert.equal(isOn({ user: { experimental: { contextManagement: true } } }), false);
    const [user, project] = [true, false].map((generalistProfile) => ({
      experimental: { generalistProfile },
    }));
    assert.equal(isOn({ user, project }), true);
  });

  it("can be read from any content", (t) => {
    const folder = scratchFolder(t);
    mkdirSync(path.join(folder, "settings.json"));
    assert.equal(readCompressionSettings({ root: path.join(folder, "tmp"), cwd: null }).compactPercent, 50);
    const content = fc.oneof(fc.json(), fc.string());
    fc.assert(
      fc.property(content, (user) => {
        const percent = settingsOf(t, { user }).compactPercent;
        assert.ok(percent !== null && percent > 0);
      }),
      { numRuns: 30 },
    );
  });

  it("set where compression begins, measured by the last request", () => {
    const { usualThreshold } = liveReader;
    const settings = readCompressionSettings({ root: null, cwd: null });
    assert.equal(usualThreshold({ window: 1_048_576, maxOutput: null, settings }), 524_288);
    assert.equal(usualThreshold({ window: 256_001, maxOutput: 8192, settings }), 128_001);
    assert.equal(
      usualThreshold({ window: 5, maxOutput: null, settings: { ...settings, compactPercent: null } }),
      null,
    );
  });
});
