import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import {
  isOwnHandler,
  guardedLines,
  shimLine,
} from "../../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import { wantedHooks } from "../../../../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { hookPrograms } from "../../../../../src/engine/hooks/program.ts";
import { address, claudeHooks, shim } from "../support/settings-files.ts";

describe("the hooks to be installed", () => {
  it("are posted, but for the events that must be a command", () => {
    const hooks = claudeHooks();
    const commands = hooks.filter(({ handler }) => handler["type"] === "command").map(({ event }) => event);
    assert.deepEqual(commands, ["SessionStart", "UserPromptSubmit", "PreCompact"]);
    const start = hooks.find(({ event }) => event === "SessionStart")?.handler;
    assert.deepEqual([start?.["type"], start?.["timeout"]], ["command", 10]);
    assert.match(
      String(start?.["command"]),
      /^if command -v node .* '\/opt\/purser 1\/dist\/hook\.cjs' --purser-hook=claude-code:SessionStart; else cat .* exit 0$/u,
    );
    assert.deepEqual(hooks.find(({ event }) => event === "Stop")?.handler, {
      type: "http",
      url: "http://127.0.0.1:41234/hook/claude-code",
      headers: { Authorization: "Bearer a-token-of-some-length", "X-Purser-Hook": "claude-code" },
      timeout: 5,
    });
  });

  it("are recognized as ours with any port, path and agent; others' are not", () => {
    for (const program of hookPrograms)
      for (const isShared of [true, false])
        for (const each of [address, null])
          for (const { handler } of wantedHooks({
            program,
            shim,
            address: each,
            isShared,
            platform: "win32",
          }))
            assert.ok(isOwnHandler(handler), JSON.stringify(handler));
    for (const other of [
      { type: "http", url: "http://127.0.0.1:41234/hook/claude-code" },
      { type: "command", command: "node", args: ["/opt/purser/dist/hook.cjs"] },
      { type: "command", command: "purser status" },
      "--purser-hook=x",
      null,
    ])
      assert.equal(isOwnHandler(other), false);
  });

  it("never contain the token where it must not be written", () => {
    for (const program of hookPrograms)
      assert.doesNotMatch(
        JSON.stringify(wantedHooks({ program, shim, address: null, isShared: true, platform: "linux" })),
        /Authorization/u,
      );
  });

  it("wait longer for purser than it takes, and less than the agent's own time", () => {
    for (const { event, handler } of claudeHooks()) {
      const timeout = Number(handler["timeout"]);
      if (event === "SessionEnd") assert.equal(timeout, 1);
      // It waits for a person, whom the agent itself asks in the meantime.
      else if (event === "PermissionRequest") assert.equal(timeout, 600);
      else assert.ok(timeout >= 5 && timeout < 30);
    }
  });
});

describe("the shim's line", { skip: process.platform === "win32" }, () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-shim-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const program = `let said = "";
process.stdin.on("data", (part) => { said += part; }).on("end", () => console.log(JSON.stringify([said, ...process.argv.slice(2)])));`;

  /** More than a pipe's buffer: a program that does not read it breaks the pipe. */
  const much = "told".repeat(100_000);

  function run(line: string, input = "told"): string {
    return execFileSync("/bin/sh", ["-c", line], {
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
  }

  /** One of each set of lines that differ only in their event. */
  function differentLines(lines: readonly unknown[]): readonly string[] {
    const byRest = new Map<string, string>();
    for (const line of lines) {
      assert.ok(typeof line === "string");
      const rest = line.replace(/(--purser-hook=[\w-]+):\w+/u, "$1");
      assert.notEqual(rest, line);
      byRest.set(rest, line);
    }
    return [...byRest.values()];
  }

  for (const name of [
    "plain",
    "two words",
    `it's "quoted"`,
    "$HOME `id` !! %PATH%",
    String.raw`back\slash`,
    "é\nnew line",
  ])
    it(`passes everything on, wherever it is: ${JSON.stringify(name)}`, () => {
      const filePath = path.join(folder, name);
      mkdirSync(filePath, { recursive: true });
      const file = path.join(filePath, "hook.cjs");
      writeFileSync(file, program);
      const own = { path: file, runtime: "node" };
      const expected = `["told","--purser-hook=copilot:Stop"]\n`;
      assert.equal(run(shimLine(own, "copilot", "Stop")), expected);
      assert.equal(run(guardedLines(own, "copilot", "Stop").bash), expected);
    });

  it("succeeds without a shim, prints nothing and reads all its input", () => {
    const gone = { path: path.join(folder, "gone.cjs"), runtime: "node" };
    assert.equal(run(shimLine(gone, "codex", "Stop"), much), "");
    assert.equal(run(guardedLines(gone, "copilot", "Stop").bash, much), "");
  });

  for (const program of hookPrograms)
    for (const isShared of [true, false])
      it(`of ${program} succeeds and prints nothing without Node or the shim (${isShared ? "" : "not "}shared)`, () => {
        for (const own of [
          { path: path.join(folder, "gone.cjs"), runtime: "node" },
          { path: path.join(folder, "gone.cjs"), runtime: "no-such-runtime" },
          { path: path.join(folder, "it's gone", "hook.cjs"), runtime: "no-such-runtime" },
        ]) {
          const hooks = wantedHooks({ program, shim: own, address: null, isShared, platform: "linux" });
          for (const line of differentLines(
            hooks.map(({ handler }) => handler["command"] ?? handler["bash"]),
          )) {
            // Unread input is not a failure: agents do not mind, and no line that all shells understand can read it.
            const { status, stdout } = spawnSync("/bin/sh", ["-c", line], {
              input: "told",
              encoding: "utf8",
            });
            assert.deepEqual([status, stdout], [0, ""], line);
          }
        }
      });

  it("of shared files is the same for the shells of every system", () => {
    const [mine, theirs] = (["linux", "win32"] as const).map((platform) =>
      JSON.stringify(wantedHooks({ program: "claude-code", shim, address: null, isShared: true, platform })),
    );
    assert.equal(mine, theirs);
    for (const { handler } of claudeHooks({ address: null, isShared: true }))
      assert.match(String(handler["command"]), /^node -e "[^"$`!]*" "[^"]*" --purser-hook=[\w:-]+; exit 0$/u);
  });

  it("of Claude Code on Windows is a program with arguments, which needs no shell", () => {
    for (const { handler } of claudeHooks({ address: null, platform: "win32" })) {
      assert.equal(handler["command"], "node");
      assert.ok(Array.isArray(handler["args"]) && handler["args"][0] === "-e");
    }
  });

  it("has slashes on Windows, which every shell there takes", () => {
    const own = { path: String.raw`C:\Users\Nana B\hook.cjs`, runtime: "node" };
    assert.match(
      shimLine(own, "codex", "Stop"),
      / "C:\/Users\/Nana B\/hook\.cjs" --purser-hook=codex:Stop; exit 0$/u,
    );
    assert.match(guardedLines(own, "copilot", "Stop").powershell, / 'C:\\Users\\Nana B\\hook\.cjs' /u);
  });
});

describe("facts that hooks report about a session", () => {
  it("come in headers of posted hooks, from variables that the agent may read", () => {
    const tell = claudeHooks().filter(({ handler }) => "allowedEnvVars" in handler);
    assert.deepEqual(
      tell.map(({ event, handler }) => [event, handler["allowedEnvVars"]]),
      [["PreToolUse", ["CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "CLAUDE_CODE_ENTRYPOINT"]]],
    );
    const headers = JSON.stringify(tell[0]?.handler["headers"]);
    assert.ok(headers.includes('"x-purser-teams":"$CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"'));
  });

  it("come from the same events by commands, and a person has as long to answer one", () => {
    const [commands, posted] = [claudeHooks({ address: null, isShared: true }), claudeHooks()];
    const timed = (hooks: typeof posted) => hooks.map(({ event, handler }) => [event, handler["timeout"]]);
    assert.deepEqual(timed(commands), timed(posted));
  });
});
