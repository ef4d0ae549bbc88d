import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import {
  removeProjectHooks,
  startRunGuards,
} from "../../../../../src/engine/bench/drivers/claude/run-guards.ts";
import { type RunFolders, guardRefusal } from "../../../../../src/engine/bench/drivers/driver.ts";
import { guardFamilies } from "../../../../../src/engine/settings/guard.ts";

/** Windows ends programs without asking them. */
const skip = process.platform === "win32";
let folders: RunFolders;
beforeEach(async () => {
  const root = await mkdtemp(path.join(tmpdir(), "purser-guards-"));
  const within = (name: string) => path.join(root, name);
  folders = {
    root,
    copy: within("project"),
    home: within("home"),
    temporary: within("tmp"),
    config: within("config"),
  };
  for (const folder of [folders.copy, folders.home, folders.temporary, folders.config]) await mkdir(folder);
});
afterEach(() => rm(folders.root, { recursive: true, force: true }));

/**
 * A service that denies calls and shortens outputs from the second one on, reports its input, and leaves
 * files when it ends.
 */
const service = (left: readonly string[] = []) => `
const { mkdirSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { json } = require("node:stream/consumers");
const asked = [];
const answers = {
  PreToolUse: { permissionDecision: "deny" },
  PostToolUse: { updatedToolOutput: { stdout: "" } },
};
const server = createServer(async (request, response) => {
  const event = (await json(request)).hook_event_name;
  const isReady = asked.includes(event);
  asked.push(event);
  write("asked", asked);
  response.end(JSON.stringify(isReady ? { hookSpecificOutput: answers[event] } : {}));
});
const home = process.env.PURSER_HOME;
const write = (name, value) => writeFileSync(home + "/" + name, JSON.stringify(value), { mode: 0o600 });
write("given", process.env);
server.listen(home + "/s", () => {
  write("service.json", { hooks: home + "/s", token: "t" });
});
write("hooks.json", { port: 4711, token: "a-token-of-this-run-only" });
process.on("SIGTERM", () => {
  for (const name of ${JSON.stringify(left)}) {
    mkdirSync(home + "/" + name, { recursive: true });
    write(name + "/one.json", { session: "the-run" });
  }
  process.exit();
});
`;

async function start(script: string, signal = new AbortController().signal) {
  const program = path.join(folders.root, "service.cjs");
  await writeFile(program, script);
  const host = { file: process.execPath, args: [program], env: { OF_THE_HOST: "yes" }, shim: "/of/hook.cjs" };
  const env = { PATH: process.env["PATH"], PURSER_HOME: "/of/the/user", A_SECRET: "kept" };
  const limits = { time: 90_000, turns: 5, tokens: 1000 };
  return await startRunGuards({ folders, mark: "a-run", limits, signal }, host, env);
}

const read = async (file: string): Promise<Record<string, unknown>> => {
  const value: unknown = JSON.parse(await readFile(file, "utf8"));
  assert.ok(typeof value === "object" && value !== null);
  return { ...value };
};

test(
  "a run's guards work before its agent starts, are all on, use the run's own state, and end with it",
  { skip },
  async () => {
    const started = await start(service(["sessions"]));
    assert.ok(started.ok, started.ok ? "" : started.detail.text);
    const own = path.join(folders.root, "purser");
    assert.deepEqual(started.value.env, { PURSER_HOME: own });
    const given = await read(path.join(own, "given"));
    assert.equal(given["PURSER_HOME"], own);
    assert.equal(given["HOME"], folders.home);
    assert.equal(given["PURSER_BENCH_RUN"], "a-run");
    assert.equal(given["PURSER_IDLE_MINUTES"], "3");
    assert.equal(given["OF_THE_HOST"], "yes");
    assert.ok(!("A_SECRET" in given));
    // The first call is let through, and the first output left as it is: the guards are not ready.
    assert.deepEqual(JSON.parse(await readFile(path.join(own, "asked"), "utf8")), [
      "PreToolUse",
      "PreToolUse",
      "PostToolUse",
      "PostToolUse",
    ]);
    const settings = await read(path.join(own, "settings.json"));
    assert.equal(settings["guardMode"], "on");
    assert.deepEqual(
      settings["guardFamilies"],
      Object.fromEntries(guardFamilies.map((family) => [family, "on"])),
    );
    const text = await readFile(started.value.settings, "utf8");
    assert.match(text, /"disableAllHooks": false/u);
    assert.match(text, /127\.0\.0\.1:4711/u);
    assert.match(text, /\/of\/hook\.cjs/u);
    if (process.platform !== "win32") assert.equal((await stat(started.value.settings)).mode & 0o777, 0o600);
    assert.deepEqual(await started.value.stop({ sessionId: "the-run", calls: 3 }), { ok: true, value: null });
  },
);

test("a run with calls that reached no guard is not evidence", { skip }, async () => {
  const cases: [left: string[], sessionId: string, calls: number, isAnswered: boolean][] = [
    [[], "the-run", 0, true],
    [[], "the-run", 1, false],
    [["sessions"], "the-run", 1, true],
    [["sessions"], "another", 1, false],
    [["sessions", "spool"], "the-run", 1, false],
  ];
  for (const [left, sessionId, calls, isAnswered] of cases) {
    await rm(path.join(folders.root, "purser"), { recursive: true, force: true });
    const started = await start(service(left));
    assert.ok(started.ok, started.ok ? "" : started.detail.text);
    const stopped = await started.value.stop({ sessionId, calls });
    assert.equal(stopped.ok, isAnswered, JSON.stringify({ left, sessionId, calls }));
  }
});

test("a service that does not start, or is cancelled, is reported", async () => {
  const gone = await start("process.exit(7)");
  assert.ok(!gone.ok && gone.detail.text.includes("it ended with 7"), JSON.stringify(gone));
  const unwanted = await start("setInterval(() => {}, 1000)", AbortSignal.abort());
  assert.ok(!unwanted.ok && unwanted.detail.text.includes("cancelled"), JSON.stringify(unwanted));
});

test("hooks of the project's own settings are removed from the copy, and nothing else", async () => {
  await removeProjectHooks(folders);
  const file = path.join(folders.copy, ".claude", "settings.json");
  await mkdir(path.dirname(file));
  await writeFile(file, '{ "model": "opus", "hooks": { "Stop": [] } }');
  await removeProjectHooks(folders);
  assert.deepEqual(await read(file), { model: "opus" });
  await writeFile(file, "no JSON");
  await removeProjectHooks(folders);
  assert.equal(await readFile(file, "utf8"), "no JSON");
});

test("only agents that can have guards are measured with them", () => {
  const guarded = [{}, { guard: "on" as const }];
  assert.equal(guardRefusal("claude", guarded), null);
  assert.match(guardRefusal("replay", guarded)?.text ?? "", /recordings cannot show/u);
  assert.match(guardRefusal("codex", guarded)?.text ?? "", /trusted them/u);
  for (const driver of ["claude", "codex", "replay"] as const) assert.equal(guardRefusal(driver, [{}]), null);
});
