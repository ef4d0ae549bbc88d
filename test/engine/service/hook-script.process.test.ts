import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { maxSocketPath, purserPaths, type PurserPaths } from "../../../src/engine/base/paths.ts";
import { hookScript, shimInScript } from "../../../src/engine/hooks/install/settings/hook-script.ts";
import { scriptLine } from "../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import { wantedHooks } from "../../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { hookPrograms, judgedBefore, type HookProgram } from "../../../src/engine/hooks/program.ts";
import { waitUntil } from "../support/wait-until.ts";
import { scratchFolder } from "../support/scratch.ts";
import { hookProgram } from "../support/programs.ts";
import { hook, TestHookService } from "./support/hooks.ts";

/** A program in the shim's place, which prints its arguments and its input's length. */
const echo = `let n = 0; process.stdin.on("data", (part) => { n += part.length; })
.on("end", () => console.log(JSON.stringify([...process.argv.slice(2), n])));`;

const big = hook("PreToolUse", { tool_name: "Write", tool_input: { content: "ü".repeat(300_000) } });
const isThere = (program: string) => spawnSync(program, ["-c", "exit 0"]).status === 0;

interface Run {
  readonly event?: string;
  readonly program?: HookProgram;
  readonly input?: string;
  readonly env?: Record<string, string>;
  readonly shell?: string;
}

/** Runs a hook's line as an agent does. */
async function run(
  script: string,
  { event = "PreToolUse", program = "codex", input = "{}", env, shell = "/bin/sh" }: Run,
) {
  const line = scriptLine(script, program, event);
  const child = spawn(shell, ["-c", line], { env: { PATH: process.env["PATH"], ...env }, timeout: 30_000 });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

/** Runs it again while a busy machine lets curl give up. */
async function runUntilAnswered(script: string, how: Run) {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const result = await run(script, how);
    if (result.out !== "") return result;
  }
  return assert.fail("it was never answered");
}

/** Writes the script for a home, with another program in the shim's place. */
function scriptIn(home: PurserPaths, program = echo): string {
  mkdirSync(home.sockets, { recursive: true, mode: 0o700 });
  const shim = path.join(home.folder, "shim.cjs");
  writeFileSync(shim, program);
  const script = path.join(home.folder, "hook.sh");
  writeFileSync(script, hookScript({ path: shim, runtime: "node" }, home));
  return script;
}

function scripted(t: TestContext) {
  const home = purserPaths({ env: {}, home: scratchFolder(t) });
  return { home, script: scriptIn(home) };
}

/** Listens at the socket that the script knows. */
async function listening(t: TestContext, home: PurserPaths, hear: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    hear(socket);
  });
  await new Promise<void>((resolve) => server.listen(home.hookSocket, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

/** A folder for PATH with some of the system's programs. */
function pathWith(t: TestContext, names: readonly string[]): string {
  const folder = scratchFolder(t);
  for (const name of names) {
    const found = spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    symlinkSync(found, path.join(folder, name));
  }
  return folder;
}

const basic = ["sh", "cat"];

describe("the script of command hooks", { skip: process.platform === "win32", concurrency: 3 }, () => {
  it("passes the input to the service and the answer to the agent without Node, in every shell", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answer = () => ({ permission: { decision: "deny", reason: "Räume 🚢" } });
    await hooks.begin();
    const script = scriptIn(hooks.home);
    const env = { PATH: pathWith(t, [...basic, "curl"]), HOME: scratchFolder(t) };
    for (const shell of ["/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/fish"].filter(isThere))
      for (const program of hookPrograms) {
        const event = program === "gemini" ? "BeforeTool" : "PreToolUse";
        const input = hook(event, { tool_name: "Bash", tool_input: { command: "ü".repeat(100_000) } });
        const result = await runUntilAnswered(script, { program, event, input, env, shell });
        assert.deepEqual([result.code, result.err], [0, ""], shell);
        assert.match(result.out, /Räume 🚢/u, `${shell} ${program}`);
      }
    assert.equal((await run(script, { event: "Stop", input: hook("Stop"), env })).out, "");
  });

  it("says who runs a hook, and leaves what another hook reports", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answer = () => ({ context: "Room." });
    await hooks.begin();
    const script = scriptIn(hooks.home);
    const input = hook("PreToolUse", { tool_name: "Bash", timestamp: "2026-11-30T00:00:00Z" });
    const ask = async (env: Record<string, string>) =>
      (await runUntilAnswered(script, { program: "copilot", input, env })).out;
    const [copilot, editor] = [
      await ask({ COPILOT_CLI: "1" }),
      await ask({ VSCODE_ESM_ENTRYPOINT: "vs/workbench/api/node/extensionHostProcess" }),
    ];
    assert.notEqual(copilot, editor);
    assert.match(editor, /hookSpecificOutput/u);
  });

  it("is not bent by the user's curl settings, proxies and odd variables", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answer = () => ({ context: "Room." });
    await hooks.begin();
    const script = scriptIn(hooks.home);
    const folder = scratchFolder(t);
    writeFileSync(
      path.join(folder, ".curlrc"),
      "url=http://127.0.0.1:9/\nverbose\noutput=/dev/null\nproxy=127.0.0.1:9\n",
    );
    const proxy = "http://127.0.0.1:9";
    const env = {
      HOME: folder,
      CURL_HOME: folder,
      XDG_CONFIG_HOME: folder,
      http_proxy: proxy,
      ALL_PROXY: proxy,
      all_proxy: proxy,
      CLAUDE_CODE_ENTRYPOINT: "cli\r\nx-purser-event: forged-event-id",
      VSCODE_ESM_ENTRYPOINT: `"; echo no; $(echo no) \`echo no\` é`,
      PATH: pathWith(t, [...basic, "curl"]),
    };
    const how = { program: "claude-code", input: hook("PreToolUse"), env } as const;
    const { code, out, err } = await runUntilAnswered(script, how);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /"additionalContext":"Room\."/u);
  });

  it("gives the whole input to the program where no service answers", async (t) => {
    const { home, script } = scripted(t);
    const length = Buffer.byteLength(big);
    const all = `["--purser-hook=codex:PreToolUse","--patient","--script",${length}]\n`;
    const ask = async () => (await run(script, { input: big })).out;
    assert.equal(await ask(), all, "no socket");
    symlinkSync("gone.sock", home.hookSocket);
    assert.equal(await ask(), all, "a link to nothing");
    rmSync(home.hookSocket);
    const dead = `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
    spawnSync(process.execPath, ["-e", dead, home.hookSocket]);
    assert.ok(existsSync(home.hookSocket));
    assert.equal(await ask(), all, "nobody listens");
    assert.equal((await run(script, { input: big, env: { PURSER_HOME: home.sockets } })).out, all);
    const path = pathWith(t, [...basic, "node"]);
    assert.equal((await run(script, { input: big, env: { PATH: path } })).out, all, "no curl");
  });

  it(
    "gives not a byte to another user's socket, in a folder that was left open",
    { skip: process.getuid?.() !== 0 },
    async (t) => {
      const { home, script } = scripted(t);
      let connections = 0;
      await listening(t, home, () => (connections += 1));
      chmodSync(home.sockets, 0o777);
      chownSync(home.hookSocket, 65_534, 65_534);
      assert.match((await run(script, { input: "told" })).out, /,"--script",4\]/u);
      assert.equal(connections, 0);
    },
  );

  it(
    "keeps another user from the socket, its folder, the script and the port",
    { skip: process.getuid?.() !== 0 },
    async (t) => {
      const hooks = new TestHookService(t);
      hooks.answer = () => ({ context: "Room." });
      const { port } = await hooks.begin();
      const { home } = hooks;
      const script = scriptIn(home);
      // They may go as far as the user's own folder.
      chmodSync(path.dirname(home.folder), 0o755);
      const curl = `curl -qs -m 3 --data-binary '${hook("PreToolUse")}'`;
      const attempts = {
        socket: `${curl} --unix-socket ${home.hookSocket} http://purser/hook/codex`,
        "the service's socket": `cat ${home.sockets}/*`,
        "a socket of theirs": `ln -s /tmp/theirs.sock ${home.hookSocket}.new`,
        "another socket": `rm -f ${home.hookSocket} || mv ${home.sockets} ${home.folder}/away`,
        script: `cat ${script} || echo "exit 0" > ${script}`,
        token: `cat ${home.hooks} ${home.record}`,
        "a post without the token": `${curl} -f http://127.0.0.1:${port}/hook/codex`,
        "a put without the token": `${curl} -f -X PUT http://127.0.0.1:${port}/hook/codex`,
        "a put with a wrong token": `${curl} -f -X PUT -H 'Authorization: Bearer x' http://127.0.0.1:${port}/hook/codex`,
      };
      for (const [what, line] of Object.entries(attempts)) {
        const { status, stdout } = spawnSync("/bin/sh", ["-c", line], {
          uid: 65_534,
          gid: 65_534,
          encoding: "utf8",
        });
        assert.notEqual(status, 0, what);
        assert.equal(stdout, "", what);
      }
      const own = await runUntilAnswered(script, { input: hook("PreToolUse") });
      assert.match(own.out, /"additionalContext":"Room\."/u);
      await waitUntil(() => hooks.recordedEntries.length > 0);
    },
  );

  it("gives it the whole input also where the service hangs, and says that it waited", async (t) => {
    const { home, script } = scripted(t);
    await listening(t, home, () => undefined);
    const { out } = await run(script, { input: big });
    assert.equal(
      out,
      `["--purser-hook=codex:PreToolUse","--patient","--late","--script",${Buffer.byteLength(big)}]\n`,
    );
  });

  it("denies a call that nothing has judged only where guards are required", async (t) => {
    const { home, script } = scripted(t);
    const env = { PATH: pathWith(t, basic) };
    const required = '{ "guardFamilies": { "safety": "required" } }';
    for (const file of [null, home.settings, home.windowSettings]) {
      if (file !== null) writeFileSync(file, required);
      for (const event of [
        ...judgedBefore,
        "PostToolUse",
        "UserPromptSubmit",
        "BeforeAgent",
        "SessionStart",
      ]) {
        const { code, out, err } = await run(script, { event, input: big, env });
        const isDenied = file !== null && judgedBefore.includes(event);
        assert.deepEqual([code, out, err !== ""], [isDenied ? 2 : 0, "", isDenied], event);
      }
      rmSync(file ?? home.settings, { force: true });
    }
  });

  it("knows of a call whose input went with the service, and of a program that fails", async (t) => {
    const { home } = scripted(t);
    await listening(t, home, (socket) => {
      let told = "";
      socket.on("data", (chunk) => {
        told += String(chunk);
        if (!told.includes("{")) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        else setTimeout(() => socket.destroy(), 50);
      });
    });
    const env = { HOME: home.folder, PURSER_HOME: home.folder };
    for (const program of [`require(${JSON.stringify(hookProgram)})`, "process.exit(1)", "syntax error"]) {
      const script = scriptIn(home, program);
      rmSync(home.settings, { force: true });
      const input = hook("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf ~" } });
      // A service that the program starts would replace the socket.
      writeFileSync(path.join(home.folder, "hook-start"), "");
      assert.deepEqual([(await run(script, { input, env })).code, program], [0, program]);
      writeFileSync(home.settings, '{ "guardFamilies": { "safety": "required" } }', { mode: 0o600 });
      assert.deepEqual([(await run(script, { input, env })).code, program], [2, program]);
    }
  });

  it("works in any folder, and without curl where the socket's path is too long", async (t) => {
    const parent = scratchFolder(t);
    const names = fc
      .stringMatching(/^[a-zA-Z '"$`\\!%é🚢;&|*()#\n-]{1,20}$/u)
      .filter((name) => name.trim() !== "");
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const home = purserPaths({ env: { PURSER_HOME: path.join(parent, `p${name}e`) }, home: parent });
        const script = scriptIn(home);
        assert.equal(
          (await run(script, { input: "told" })).out,
          `["--purser-hook=codex:PreToolUse","--patient","--script",4]\n`,
        );
        assert.equal(shimInScript(hookScript({ path: home.folder, runtime: "node" }, home)), home.folder);
      }),
      { numRuns: 15 },
    );
    for (const more of [0, 1]) {
      const folder = `/${"h".repeat(maxSocketPath + more - "//run/hooks.sock".length)}`;
      const home = purserPaths({ env: { PURSER_HOME: folder }, home: parent });
      assert.equal(hookScript({ path: "/s", runtime: "node" }, home).includes("curl "), more === 0);
    }
  });

  it("is one short line for each event, which only settings of this user name", () => {
    for (const program of hookPrograms)
      for (const isShared of [true, false]) {
        const about = {
          program,
          shim: { path: "/shim", runtime: "node" },
          script: "/home/nana/.purser/hook.sh",
        };
        const hooks = wantedHooks({ ...about, address: null, isShared, platform: "linux" });
        for (const { handler } of hooks) {
          const line = String(handler["command"] ?? handler["bash"]);
          assert.equal(line.includes("hook.sh"), !isShared);
          if (!isShared) assert.ok(line.length < 160, line);
        }
      }
  });
});
