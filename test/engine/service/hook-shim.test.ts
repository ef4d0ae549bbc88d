import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { writeHookPlace } from "../../../src/engine/service/hook-place.ts";
import { holderOf } from "../../../src/engine/service/holder.ts";
import { purserHome, type PurserHome } from "../../../src/engine/service/purser-home.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";
import { readRecord, writeRecord } from "../../../src/engine/service/service-record.ts";
import { newToken } from "../../../src/engine/service/token.ts";
import { Box, machine } from "./support/box.ts";
import { hook, HookBox } from "./support/hooks.ts";

const shim = fileURLToPath(new URL("../../../src/engine/service/hook-shim.ts", import.meta.url));
const sessionEnd = "--purser-hook=claude-code:SessionEnd";

interface Run {
  readonly env: Record<string, string>;
  /** Null leaves the input open, and says nothing. */
  readonly input: string | Buffer | null;
  readonly argument?: string;
  /** As it is written, or bundled. */
  readonly program?: string;
}

async function run({ env, input, argument = sessionEnd, program = shim }: Run) {
  const began = performance.now();
  const child = spawn(process.execPath, [program, argument], { env, timeout: 30_000 });
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  child.stdin.destroy();
  return { code, out, err, took: performance.now() - began };
}

function silent({ code, out, err }: Awaited<ReturnType<typeof run>>): void {
  assert.deepEqual({ code, out, err }, { code: 0, out: "", err: "" });
}

function place(t: TestContext) {
  const folder = scratchFolder(t);
  const env = { PURSER_HOME: path.join(folder, ".purser"), HOME: folder };
  const home = purserHome({ env, home: folder });
  mkdirSync(home.folder, { mode: 0o700 });
  return { env, home, folder };
}

/** Says where a service would be, and has somebody listen there. */
async function listening(
  t: TestContext,
  home: PurserHome,
  { folder = home.sockets, mode = 0o700 }: { folder?: string; mode?: number },
  hear: (socket: Socket) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hooks = path.join(folder, "h.sock");
  const server = createServer(hear);
  await new Promise<void>((resolve) => server.listen(hooks, resolve));
  t.after(() => server.close());
  chmodSync(folder, mode);
  announce(home, hooks);
}

function announce(home: PurserHome, hooks: string): void {
  const own = holderOf(process.pid, machine);
  writeRecord(home, { ...own, socket: `${hooks}.none`, hooks, token: newToken(), version: "1.0.0" });
}

function spooled(folder: string): unknown[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name): unknown => JSON.parse(readFileSync(path.join(folder, name), "utf8")));
}

describe("the hooks' program and others who listen", { skip: process.platform === "win32" }, () => {
  const secret = "my secret";
  const input = hook("UserPromptSubmit", { prompt: secret });
  const answer = JSON.stringify({ hookSpecificOutput: { permissionDecision: "allow" } });

  it("gives not a byte to whoever has the port of a service that is no more, and begins another", async (t) => {
    const box = new Box(t, { PURSER_IDLE_MINUTES: "1" });
    const heard: Buffer[] = [];
    let connections = 0;
    const impostor = createServer((socket) => {
      connections += 1;
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => heard.push(chunk));
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    t.after(() => impostor.close());
    const address = impostor.address();
    assert.ok(typeof address === "object" && address !== null);
    mkdirSync(box.home.folder, { mode: 0o700 });
    writeHookPlace(box.home, { port: address.port, token: "a token nobody guesses" });
    const argument = "--purser-hook=claude-code:UserPromptSubmit";
    silent(await run({ env: box.env, input, argument }));
    await waitUntil(() => box.pids().length === 1);
    assert.deepEqual([connections, Buffer.concat(heard).length], [0, 0]);
  });

  for (const [what, mode] of [
    ["which others may write to", 0o777],
    ["which others may look into", 0o755],
  ] as const)
    it(`gives not a byte to a socket in a folder ${what}`, async (t) => {
      const { env, home, folder } = place(t);
      let connections = 0;
      await listening(t, home, { folder: path.join(folder, "run"), mode }, () => (connections += 1));
      silent(await run({ env, input }));
      assert.equal(connections, 0);
      assert.equal(spooled(home.spool).length, 1);
    });

  it(
    "gives not a byte to a socket in another user's folder",
    { skip: process.getuid?.() !== 0 },
    async (t) => {
      const { env, home, folder } = place(t);
      const theirs = path.join(folder, "run");
      let connections = 0;
      await listening(t, home, { folder: theirs }, () => (connections += 1));
      chownSync(theirs, 65_534, 65_534);
      silent(await run({ env, input }));
      // A link of ours to it is none of ours either.
      symlinkSync(theirs, path.join(folder, "link"));
      announce(home, path.join(folder, "link", "h.sock"));
      silent(await run({ env, input }));
      assert.equal(connections, 0);
      assert.equal(spooled(home.spool).length, 2);
    },
  );
});

describe("the hooks' program", { concurrency: 3 }, () => {
  it("hands what it is told to the service, and its answer to the agent", async (t) => {
    const hooks = new HookBox(t);
    hooks.answer = () => ({ context: "Räume: 5 % left 🚢" });
    await hooks.begin();
    const env = { PURSER_HOME: hooks.home.folder };
    const argument = "--purser-hook=codex:PreToolUse";
    const told = await run({
      env,
      argument,
      input: hook("PreToolUse", { tool_name: "Bash", n: "ü".repeat(70_000) }),
    });
    assert.deepEqual([told.code, told.err], [0, ""]);
    assert.deepEqual(JSON.parse(told.out), {
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "Räume: 5 % left 🚢" },
    });
    silent(await run({ env, argument, input: "no hook" }));
    await waitUntil(() => hooks.told.length === 1);
    assert.deepEqual([hooks.told[0]?.tool, hooks.told[0]?.outcome], ["Bash", "advise"]);
    assert.deepEqual(spooled(hooks.home.spool), []);
  });

  it("has what was built with it take over from what serves, if that is something else, once it has answered", async (t) => {
    const hooks = new HookBox(t);
    hooks.answer = () => ({ context: "Wrap up." });
    await hooks.begin();
    const dist = path.join(scratchFolder(t), "dist");
    const program = path.join(dist, "hook.cjs");
    await build({
      ...{ entryPoints: [shim], outfile: program, bundle: true, platform: "node", format: "cjs" },
      define: { "import.meta.filename": "__filename" },
      supported: { "dynamic-import": false },
    });
    const begun = path.join(dist, "begun");
    writeFileSync(
      path.join(dist, "service.cjs"),
      `require("node:fs").appendFileSync(${JSON.stringify(begun)}, process.argv.slice(2).join(" ") + "\\n")`,
    );
    const env = { PURSER_HOME: hooks.home.folder };
    const argument = "--purser-hook=claude-code:PreToolUse";
    const ask = async () => {
      const told = await run({ env, argument, program, input: hook("PreToolUse") });
      assert.match(told.out, /"additionalContext":"Wrap up\."/u);
    };
    const stamp = (hash: string) =>
      writeFileSync(path.join(dist, "build.json"), JSON.stringify({ hash, builtAt: 2 }));
    await ask();
    assert.equal(
      existsSync(path.join(hooks.home.folder, "hook-successor")),
      false,
      "it runs as it is written",
    );
    stamp("b");
    await ask();
    await waitUntil(() => existsSync(begun));
    await ask();
    assert.equal(readFileSync(begun, "utf8"), "--successor\n");
    const record = readRecord(hooks.home);
    assert.ok(record.ok && record.value !== null);
    writeRecord(hooks.home, { ...record.value, build: "c", builtAt: 3 });
    stamp("c");
    await ask();
    stamp("d");
    await ask();
    await waitUntil(() => readFileSync(begun, "utf8") === "--successor\n--successor\n");
  });

  it("leaves a hook in the spool when no service runs: that it was, and nothing of what was said", async (t) => {
    const { env, home } = place(t);
    const input = hook("SessionEnd", { tool_name: "x".repeat(9999), prompt: "my secret", agent_id: 5 });
    silent(await run({ env, input }));
    announce(home, path.join(home.sockets, "gone.sock"));
    silent(await run({ env, input }));
    const [first, second] = spooled(home.spool);
    assert.ok(typeof first === "object" && first !== null && "id" in first && "at" in first);
    const { id, at, ...rest } = first;
    assert.deepEqual(rest, {
      ...{ kind: "hook-event", sessionId: "s-1", event: "SessionEnd" },
      ...{ agentId: null, tool: "x".repeat(200) },
    });
    assert.ok(typeof id === "string" && typeof at === "number");
    assert.ok(second !== undefined && !JSON.stringify(second).includes(id));
    assert.equal(existsSync(home.log), false, "the session is over: no service is begun for it");
  });

  it("begins the service, which has the hook then", async (t) => {
    const box = new Box(t, { PURSER_IDLE_MINUTES: "1" });
    const argument = "--purser-hook=claude-code:SessionStart";
    silent(await run({ env: box.env, input: hook("SessionStart"), argument }));
    silent(await run({ env: box.env, input: hook("SessionStart"), argument }));
    await waitUntil(() => box.pids().length === 1);
    const folder = path.join(box.home.folder, "journal");
    const journal = () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .map((name) => readFileSync(path.join(folder, name), "utf8"))
        .join("");
    await waitUntil(() => journal().split('"kind":"hook-event"').length === 3);
    await waitUntil(() => readdirSync(box.home.spool).length === 0);
  });

  it("ends in time though nobody tells it anything, or the service says nothing", async (t) => {
    const { env, home } = place(t);
    const silence = await run({ env, input: null });
    silent(silence);
    await listening(t, home, {}, () => undefined);
    silent(await run({ env, input: hook("SessionEnd") }));
    assert.equal(spooled(home.spool).length, 1);
  });

  it("leaves that a hook was where the agent does not come to its end", async (t) => {
    const { env, home } = place(t);
    const child = spawn(process.execPath, [shim, sessionEnd], { env, timeout: 30_000 });
    child.stdin.write(hook("SessionEnd", { reason: "other", more: "" }).slice(0, -10));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    assert.equal(await ended, 0);
    child.stdin.destroy();
    assert.match(JSON.stringify(spooled(home.spool)), /"event":"SessionEnd"/u);
  });

  it("takes nothing for an answer that is not the service's", async (t) => {
    const { env, home } = place(t);
    await listening(t, home, {}, (socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
    });
    silent(await run({ env, input: hook("SessionEnd") }));
    assert.equal(spooled(home.spool).length, 1);
  });

  it("hands over the beginning of what is too much, and leaves that it was where nobody takes it", async (t) => {
    const hooks = new HookBox(t);
    hooks.answer = () => ({ permission: { decision: "deny", reason: "no room" } });
    await hooks.begin();
    const input = hook("PreToolUse", { tool_name: "Write", tool_input: { content: "x".repeat(20_000_000) } });
    const argument = "--purser-hook=claude-code:PreToolUse";
    const told = await run({ env: { PURSER_HOME: hooks.home.folder }, argument, input });
    assert.match(told.out, /"permissionDecision":"deny"/u);
    await waitUntil(() => hooks.told.length === 1);
    const { env, home } = place(t);
    silent(await run({ env, input }));
    assert.match(JSON.stringify(spooled(home.spool)), /"event":"PreToolUse".*"tool":"Write"/u);
  });

  it("ends well whatever it is told and wherever it is", { timeout: 120_000 }, async (t) => {
    const { env, home, folder } = place(t);
    const closed = path.join(folder, "closed");
    mkdirSync(closed, { mode: 0o500 });
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const readOnly = { PURSER_HOME: path.join(closed, ".purser") };
    const environments = fc.constantFrom<Record<string, string>>(env, {}, { HOME: "" }, readOnly, {
      PURSER_HOME: file,
    });
    const inputs = fc.oneof(
      fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
      fc.json(),
      fc.nat(60).map((cut) => hook("SessionEnd").slice(0, cut)),
      fc.constant(hook("SessionEnd")),
      fc.constant(Buffer.alloc(9_000_000, "x")),
    );
    const places = fc.oneof(
      fc.constantFrom("", "{", "null", '{"hooks":"1","token":5}', '{"hooks":"/","token":"a b"}'),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(environments, inputs, places, async (where, input, said) => {
        writeFileSync(home.record, said, { mode: 0o600 });
        // Nothing of the user's own is written: without a home the test's own stands in its place.
        const safe = "PURSER_HOME" in where ? where : { ...where, PURSER_HOME: path.join(closed, "none") };
        silent(await run({ env: safe, input }));
      }),
      { numRuns: 15 },
    );
    chmodSync(closed, 0o700);
  });
});
