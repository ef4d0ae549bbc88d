import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import { claudeRoots } from "../../../../src/engine/transcripts/claude/claude-roots.ts";

const posix = (env: Record<string, string | undefined>) =>
  claudeRoots({ env, home: "/home/dev", paths: path.posix });
const windows = (env: Record<string, string | undefined>) =>
  claudeRoots({ env, home: "C:\\Users\\dev", paths: path.win32 });

describe("the roots of Claude Code", () => {
  const defaults = ["/home/dev/.claude", "/home/dev/.config/claude"];

  it("are two by default", () => assert.deepEqual(posix({}), defaults));

  it("follow XDG_CONFIG_HOME, when it is an absolute path", () => {
    assert.deepEqual(posix({ XDG_CONFIG_HOME: "/etc/dev" }), ["/home/dev/.claude", "/etc/dev/claude"]);
    for (const folder of ["", "relative", undefined])
      assert.deepEqual(posix({ XDG_CONFIG_HOME: folder }), defaults);
  });

  it("are the folders in CLAUDE_CONFIG_DIR, and no others", () => {
    assert.deepEqual(posix({ CLAUDE_CONFIG_DIR: "/srv/claude", XDG_CONFIG_HOME: "/etc/dev" }), [
      "/srv/claude",
    ]);
  });

  it("may be several, each once, in their order", () => {
    const list = " /b , /a,,/b/ ,/a/../b,~/c, ~ ,~other";
    assert.deepEqual(posix({ CLAUDE_CONFIG_DIR: list }).slice(0, -1), [
      "/b",
      "/a",
      "/home/dev/c",
      "/home/dev",
    ]);
    assert.match(posix({ CLAUDE_CONFIG_DIR: list }).at(-1) ?? "", /\/~other$/u);
  });

  it("are the defaults when CLAUDE_CONFIG_DIR names nothing", () => {
    for (const list of ["", " ", ",", " , "]) assert.deepEqual(posix({ CLAUDE_CONFIG_DIR: list }), defaults);
  });

  it("use Windows paths on Windows", () => {
    assert.deepEqual(windows({}), ["C:\\Users\\dev\\.claude", "C:\\Users\\dev\\.config\\claude"]);
    assert.deepEqual(windows({ CLAUDE_CONFIG_DIR: "~\\claude,~/other,D:/work\\claude" }), [
      "C:\\Users\\dev\\claude",
      "C:\\Users\\dev\\other",
      "D:\\work\\claude",
    ]);
  });
});
