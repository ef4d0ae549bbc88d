import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { chatRoots } from "../../../../src/engine/transcripts/vscode-chat/vscode-chat-roots.ts";

const posix = { home: "/home/dev", paths: path.posix };

test("VS Code's folders are where each system stores an application's data", () => {
  assert.deepEqual(chatRoots({ ...posix, env: {} }, "linux"), [
    "/home/dev/.config/Code/User",
    "/home/dev/.config/Code - Insiders/User",
    "/home/dev/.config/VSCodium/User",
    "/home/dev/.vscode-server/data/User",
    "/home/dev/.vscode-server-insiders/data/User",
    "/home/dev/.vscodium-server/data/User",
    "/home/dev/.local/share/code-server/User",
  ]);
  assert.equal(
    chatRoots({ ...posix, env: {} }, "darwin")[0],
    "/home/dev/Library/Application Support/Code/User",
  );
  const windows = { home: "C:\\Users\\dev", paths: path.win32 };
  assert.equal(
    chatRoots({ ...windows, env: {} }, "win32")[0],
    "C:\\Users\\dev\\AppData\\Roaming\\Code\\User",
  );
  assert.equal(chatRoots({ ...windows, env: { APPDATA: "D:\\data" } }, "win32")[0], "D:\\data\\Code\\User");
});

test("the environment moves them, and an empty variable does not", () => {
  const first = (env: Record<string, string>) => chatRoots({ ...posix, env }, "linux")[0];
  assert.equal(first({ XDG_CONFIG_HOME: "/cfg" }), "/cfg/Code/User");
  assert.equal(first({ XDG_CONFIG_HOME: " " }), "/home/dev/.config/Code/User");
  assert.equal(first({ VSCODE_APPDATA: "/app" }), "/app/Code/User");
  assert.equal(first({ VSCODE_PORTABLE: "/usb/data" }), "/usb/data/user-data/User");
});
