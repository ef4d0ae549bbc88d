import fc from "fast-check";
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { StoredOutputs } from "../../../../src/engine/guard/host/stored-outputs.ts";
import { findRivalHooks } from "../../../../src/engine/guard/guard-files.ts";
import { makeFifo } from "../../support/make-fifo.ts";

function scratch(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-outputs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const about = {
  session: "s",
  program: "claude-code",
  line: "npm test",
  compressor: "tap",
  hit: "t1:smaller-output-tap",
};
const now = 1_800_000_000_000;
const day = 24 * 60 * 60_000;

describe("originals of outputs", () => {
  it("come back byte by byte, from files that only their user can open", async (t) => {
    const folder = path.join(scratch(t), "outputs");
    const files = new StoredOutputs({ folder, now: () => now });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
        const stored = await files.keep(text, about);
        assert.ok(stored.ok);
        const read = await files.read(stored.value);
        assert.ok(read.ok);
        assert.equal(read.value.text, text);
        assert.equal(read.value.head.bytes, Buffer.byteLength(text));
      }),
      { numRuns: 30 },
    );
    if (process.platform === "win32") return;
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder))
      assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
  });

  it("lose possible secrets in the command that is shown with them", async (t) => {
    const files = new StoredOutputs({ folder: path.join(scratch(t), "outputs"), now: () => now });
    await files.keep("text", { ...about, line: "curl --token abcdefgh123456789" });
    const [head] = await files.list();
    assert.equal(head?.line, "curl --token [secret]");
  });

  it("are found by id, and no other file is", async (t) => {
    const root = scratch(t);
    const folder = path.join(root, "outputs");
    const files = new StoredOutputs({ folder, now: () => now });
    assert.ok((await files.keep("one", about)).ok);
    writeFileSync(path.join(root, "2abcde.txt"), "outside");
    writeFileSync(path.join(folder, "notes.txt"), "not ours");
    writeFileSync(path.join(folder, "3abcde.txt"), "no head\ntext");
    const reasons = ["../2abcde", "notes", "/etc/passwd", "2abcde", "3abcde", "2abcde.txt", ""].map(
      async (id) => {
        const read = await files.read(id);
        return read.ok ? "read" : read.reason;
      },
    );
    assert.deepEqual(await Promise.all(reasons), [
      "not_kept",
      "not_kept",
      "not_kept",
      "not_kept",
      "unreadable",
      "not_kept",
      "not_kept",
    ]);
    assert.equal((await files.list()).length, 1);
  });

  it("are read if they are files: a link or pipe is reported, without following or waiting", async (t) => {
    if (process.platform === "win32") return;
    const folder = path.join(scratch(t), "outputs");
    const files = new StoredOutputs({ folder, now: () => now });
    const [stored, other] = [await files.keep("text", about), await files.keep("other", about)];
    assert.ok(stored.ok && other.ok);
    const elsewhere = path.join(folder, "elsewhere");
    renameSync(files.fileOf(stored.value), elsewhere);
    symlinkSync(elsewhere, files.fileOf(stored.value));
    rmSync(files.fileOf(other.value));
    makeFifo(t, files.fileOf(other.value));
    for (const id of [stored.value, other.value]) {
      const read = await files.read(id);
      assert.equal(!read.ok && read.reason, "unreadable");
    }
    assert.deepEqual(await files.list(), []);
  });

  it("are listed by their first lines, whatever the command and however long the output", async (t) => {
    const files = new StoredOutputs({ folder: path.join(scratch(t), "outputs"), now: () => now });
    const line = `echo ${"\u0001é".repeat(600)}`;
    await files.keep("x".repeat(100_000), { ...about, line });
    const [listed] = await files.list();
    assert.equal(listed?.lines, 1);
    assert.equal(listed.line, line.slice(0, 1000));
  });

  it("are deleted after a week, and the oldest if there are too many; other files remain", async (t) => {
    const folder = path.join(scratch(t), "outputs");
    const files = new StoredOutputs({ folder, now: () => now });
    const ids: string[] = [];
    for (const age of [0, 1, 2, 8, -9]) {
      const stored = await files.keep("x".repeat(1000), about);
      assert.ok(stored.ok);
      const at = (now - age * day) / 1000;
      utimesSync(path.join(folder, `${stored.value}.txt`), at, at);
      ids.push(stored.value);
    }
    writeFileSync(path.join(folder, "notes.txt"), "not ours");
    const [folderLikeOne, oldTime] = [path.join(folder, "2aaaaa.txt"), (now - 7.5 * day) / 1000];
    mkdirSync(folderLikeOne);
    utimesSync(folderLikeOne, oldTime, oldTime);
    await files.prune();
    const left = () => ids.map((id) => existsSync(path.join(folder, `${id}.txt`)));
    assert.deepEqual(left(), [true, true, true, false, false]);
    await files.prune({ age: 7 * day, bytes: 2600 });
    assert.deepEqual(left(), [true, true, false, false, false]);
    assert.ok(existsSync(path.join(folder, "notes.txt")) && existsSync(folderLikeOne));
    await new StoredOutputs({ folder: path.join(folder, "none"), now: () => now }).prune();
  });

  it("are not written if that fails, and are written again once it works", async (t) => {
    const folder = path.join(scratch(t), "outputs");
    writeFileSync(folder, "a file");
    const files = new StoredOutputs({ folder, now: () => now });
    assert.ok(!(await files.keep("text", about)).ok);
    rmSync(folder);
    assert.ok((await files.keep("text", about)).ok);
    rmSync(folder, { recursive: true });
    assert.ok(!(await files.keep("text", about)).ok, "its folder was removed meanwhile");
    assert.ok((await files.keep("text", about)).ok);
  });
});

it("finds other hooks after commands in each of Claude Code's settings", (t) => {
  const home = scratch(t);
  const managed = [path.join(home, "etc")];
  const project = path.join(home, "shop");
  const folder = path.join(project, "src");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  const put = (file: string, matcher: unknown, handler: object = { type: "command", command: "trim" }) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ hooks: { PostToolUse: [{ matcher, hooks: [handler] }] } }));
  };
  const find = () =>
    findRivalHooks(folder, { env: {}, home, managed }).map(
      ({ file, matcher }) => `${path.relative(home, file)} ${matcher}`,
    );
  assert.deepEqual(find(), []);
  const user = path.join(home, ".claude", "settings.json");
  const table: readonly (readonly [unknown, boolean])[] = [
    ["Bash", true],
    [undefined, true],
    ["", true],
    ["*", true],
    ["Edit|Bash", true],
    [".*", true],
    ["(", true],
    ["Edit|Write", false],
    ["mcp__.*", true],
    ["Grep|Read", true],
    ["WebFetch", true],
    ["BashOutput", false],
  ];
  for (const [matcher, isRival] of table) {
    put(user, matcher);
    assert.equal(find().length, isRival ? 1 : 0, String(matcher));
  }
  for (const own of [
    { type: "command", command: "node hook.cjs --purser-hook=claude-code:PostToolUse" },
    { type: "command", command: "log", async: true },
  ]) {
    put(user, "Bash", own);
    assert.deepEqual(find(), []);
  }
  put(path.join(project, ".claude", "settings.json"), "Bash");
  put(path.join(project, ".claude", "settings.local.json"), "Bash|Read");
  assert.deepEqual(
    find(),
    ["shop/.claude/settings.json Bash", "shop/.claude/settings.local.json Bash|Read"].map((file) =>
      path.normalize(file),
    ),
  );
  writeFileSync(user, "{ torn");
  assert.equal(find().length, 2);
});

it("finds hooks of an administrator and of enabled plugins", (t) => {
  const home = scratch(t);
  const folders = [path.join(home, "etc"), "relative"];
  const put = (file: string, content: unknown) => {
    const whole = path.join(home, ...file.split("/"));
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, JSON.stringify(content));
  };
  const find = () =>
    findRivalHooks(null, { env: {}, home, managed: folders }).map(({ file, matcher }) =>
      [path.relative(home, file).replaceAll("\\", "/"), matcher].join(" "),
    );
  const hooks = (matcher: string) => ({
    PostToolUse: [{ matcher, hooks: [{ type: "command", command: "trim" }] }],
  });
  put("etc/managed-settings.json", { hooks: hooks("Bash") });
  put("etc/managed-settings.d/b.json", { hooks: hooks("Grep"), enabledPlugins: { "trim@shop": true } });
  const managed = ["etc/managed-settings.json Bash", "etc/managed-settings.d/b.json Grep"];
  assert.deepEqual(find(), managed);
  const cached = ".claude/plugins/cache/shop/trim/1.2.0";
  put(`${cached}/hooks/hooks.json`, { description: "Trims", hooks: hooks("Glob") });
  put(`${cached}/.claude-plugin/plugin.json`, { name: "trim", hooks: hooks("WebFetch") });
  put(".claude/plugins/cache/shop/other/1.0.0/hooks/hooks.json", { hooks: hooks("Bash") });
  const cachedOnes = [`${cached}/hooks/hooks.json Glob`, `${cached}/.claude-plugin/plugin.json WebFetch`];
  assert.deepEqual(find(), [...managed, ...cachedOnes]);
  put("elsewhere/a/hooks/hooks.json", { hooks: hooks("mcp__a__b") });
  put(".claude/plugins/installed_plugins.json", {
    version: 2,
    plugins: { "late@shop": [{ installPath: path.join(home, "elsewhere", "a") }], "off@shop": "torn" },
  });
  put(".claude/settings.json", {
    enabledPlugins: { "late@shop": true, "other@shop": false, "../x@..": true },
  });
  assert.deepEqual(find(), [...managed, ...cachedOnes, "elsewhere/a/hooks/hooks.json mcp__a__b"]);
});

it("settings of any form never throw", (t) => {
  const home = scratch(t);
  const managed = [home];
  fc.assert(
    fc.property(fc.json(), fc.json(), (settings, plugins) => {
      mkdirSync(path.join(home, ".claude", "plugins"), { recursive: true });
      const wrapped = `{"enabledPlugins":${settings},"hooks":${plugins}}`;
      writeFileSync(path.join(home, "managed-settings.json"), wrapped);
      writeFileSync(path.join(home, ".claude", "plugins", "installed_plugins.json"), plugins);
      findRivalHooks(null, { env: {}, home, managed });
    }),
    { numRuns: 200 },
  );
});
