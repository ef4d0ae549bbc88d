import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import {
  chatFacts,
  remoteChatNote,
  userFolderOf,
  withEditor,
} from "../../../src/extension/service/chat-facts.ts";
import { t } from "../support/session.ts";

const user = path.resolve("/home/dev/.config/Code/User");

describe("facts about a window's chats", () => {
  it("is where its editor keeps them, with and without a profile, or nowhere", () => {
    const of = (...parts: string[]) => ({ scheme: "file", fsPath: path.join(user, ...parts) });
    assert.equal(userFolderOf(of("globalStorage", "context-purser.context-purser")), user);
    assert.equal(userFolderOf(of("profiles", "1a", "globalStorage", "context-purser.context-purser")), user);
    assert.equal(userFolderOf(of("workspaceStorage", "0a1b", "context-purser.context-purser")), null);
    assert.equal(userFolderOf({ ...of("globalStorage", "x"), scheme: "vscode-userdata" }), null);
  });

  it("is its first folder, and the room that each model has for a prompt", () => {
    const models = [
      { vendor: "test", id: "one", maxInputTokens: 111_000 },
      { vendor: "test", id: "none", maxInputTokens: 0 },
      { vendor: "test", id: "odd", maxInputTokens: NaN },
    ];
    assert.deepEqual(chatFacts(["/a", "/b"], models), { folder: "/a", models: { "test/one": 111_000 } });
    assert.deepEqual(chatFacts([], []), { folder: null, models: {} });
  });

  it("warns in a remote window of a desktop with Copilot until a log names its chats", () => {
    const remote = { remoteName: "ssh-remote", uiKind: 1, hasCopilot: true, logged: 0 };
    const note = (changes: Partial<typeof remote> & { remoteName?: string | undefined }) =>
      remoteChatNote({ ...remote, ...changes }, 1, t);
    assert.match(note({}) ?? "", /on your desktop's machine.*agentDebugLog\.fileLogging\.enabled/u);
    assert.equal(note({ uiKind: 2 }), undefined, "a browser's chats are on the server");
    assert.equal(note({ hasCopilot: false }), undefined);
    assert.equal(note({ logged: 1 }), undefined);
    assert.equal(remoteChatNote({ ...remote, remoteName: undefined }, 1, t), undefined);
  });

  it("is its own folder of chats, where that is not one of the usual", () => {
    const usual = [{ agent: "vscode-chat", path: "/home/mara/.config/Code/User" } as const];
    assert.deepEqual(withEditor(usual, null), usual);
    assert.deepEqual(withEditor(usual, "/home/mara/.config/Code/User"), usual);
    const moved = { agent: "vscode-chat", path: "/srv/editor/User" };
    assert.deepEqual(withEditor(usual, "/srv/editor/User"), [...usual, moved]);
  });
});
