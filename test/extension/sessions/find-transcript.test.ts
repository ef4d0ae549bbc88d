import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { findTranscript } from "../../../src/extension/sessions/reopen-session.ts";
import { agents, type AgentName } from "../../../src/engine/transcripts/agents.ts";
import { scratchFolder } from "../../engine/support/scratch.ts";
import { writeTree } from "../../engine/support/write-tree.ts";

const [one, other] = ["5e550001-0000-4000-8000-000000000001", "5e550001-0000-4000-8000-000000000002"];
const odd = "Mara's tide, höchste [2026] 100%";

/** Where each agent keeps its sessions, below a scratch folder. */
const places: Readonly<Record<AgentName, readonly string[]>> = {
  "claude-code": ["claude", "claude-2"],
  codex: ["codex/sessions", "codex/archived_sessions"],
  copilot: ["copilot"],
  gemini: ["gemini/tmp", "gemini-2/tmp"],
  "vscode-chat": ["Code/User", "server/User"],
};

/** @param tree contents by path */
function foldersWith(t: TestContext, tree: Readonly<Record<string, string>>) {
  const home = scratchFolder(t);
  writeTree(home, tree);
  const roots = agents.flatMap(({ name }) =>
    places[name].map((folder) => ({ agent: name, path: path.join(home, folder) })),
  );
  /** The path of the session's transcript, below the scratch folder. */
  const find = async (id: string, agent: string | null = null) => {
    const file = await findTranscript(id, { roots, agent });
    return file === undefined ? undefined : path.relative(home, file).replaceAll(path.sep, "/");
  };
  return { home, find };
}

const header = (sessionId: string) => `${JSON.stringify({ sessionId, projectHash: "x", kind: "main" })}\n`;
const rollout = (id: string) => `rollout-2026-11-21T14-32-00-${id}.jsonl`;

describe("the transcript of a session that is not followed", () => {
  it("is found among Claude Code's projects, in each of its folders", async (t) => {
    const { find } = foldersWith(t, {
      [`claude/projects/-home-mara/${other}/subagents/agent-a1.jsonl`]: "",
      [`claude/projects/-home-mara/${odd}.jsonl`]: "",
      [`claude-2/projects/-home-mara-harbor/${one}.jsonl`]: "",
    });
    assert.equal(await find(one, "claude-code"), `claude-2/projects/-home-mara-harbor/${one}.jsonl`);
    assert.equal(await find(odd, "claude-code"), `claude/projects/-home-mara/${odd}.jsonl`);
    assert.equal(await find(other, "claude-code"), undefined);
  });

  it("is found among Codex's rollouts: the active before the archived, the plain before the compressed", async (t) => {
    const { home, find } = foldersWith(t, {
      [`codex/sessions/2026/11/21/${rollout(one)}`]: "",
      [`codex/sessions/2026/11/21/${rollout(one)}.zst`]: "",
      [`codex/sessions/2026/11/22/${rollout(other)}.zst`]: "",
      [`codex/archived_sessions/${rollout(one)}`]: "",
    });
    assert.equal(await find(one, "codex"), `codex/sessions/2026/11/21/${rollout(one)}`);
    assert.equal(await find(other, "codex"), `codex/sessions/2026/11/22/${rollout(other)}.zst`);
    rmSync(path.join(home, "codex/sessions"), { recursive: true });
    assert.equal(await find(one, "codex"), `codex/archived_sessions/${rollout(one)}`);
    assert.equal(await find(odd, "codex"), undefined);
  });

  it("is found in the folder of Copilot CLI's session", async (t) => {
    const { home, find } = foldersWith(t, {
      [`copilot/session-state/${one}/events.jsonl`]: "",
      [`copilot/session-state/${odd}/events.jsonl`]: "",
      [`copilot/session-state/${other}/workspace.yaml`]: "",
      "copilot/session-state/events.jsonl": "",
    });
    assert.equal(await find(one, "copilot"), `copilot/session-state/${one}/events.jsonl`);
    assert.equal(await find(odd, "copilot"), `copilot/session-state/${odd}/events.jsonl`);
    assert.equal(await find(other, "copilot"), undefined);
    // A folder is not a transcript.
    mkdirSync(path.join(home, `copilot/session-state/${other}/events.jsonl`));
    assert.equal(await find(other, "copilot"), undefined);
  });

  it("distinguishes chats of Gemini CLI with the same beginning by their header", async (t) => {
    const chats = "gemini-2/tmp/harbor/chats";
    const { home, find } = foldersWith(t, {
      "gemini/tmp/harbor/.project_root": "/home/mara/harbor",
      [`${chats}/session-2026-11-20T09-00-5e550001.jsonl`]: header(other),
      [`${chats}/session-2026-11-21T09-00-5e550001.jsonl`]: header(one),
      [`${chats}/session-2026-11-22T09-00-5e550001.jsonl`]: "",
      [`${chats}/session-2026-11-23T09-00-5e550001.jsonl`]: "not a row",
      [`${chats}/session-2026-11-19T09-00-Mara_s_t.json`]: JSON.stringify({ sessionId: odd }, null, 2),
      [`${chats}/notes-5e550001.jsonl`]: header(one),
    });
    assert.equal(await find(one, "gemini"), `${chats}/session-2026-11-21T09-00-5e550001.jsonl`);
    assert.equal(await find(other, "gemini"), `${chats}/session-2026-11-20T09-00-5e550001.jsonl`);
    assert.equal(await find(odd, "gemini"), `${chats}/session-2026-11-19T09-00-Mara_s_t.json`);
    assert.equal(await find("5e550001", "gemini"), undefined);
    // A resumed session is copied from the old format.
    writeTree(home, { [`${chats}/session-2026-11-19T09-00-Mara_s_t.jsonl`]: header(odd) });
    assert.equal(await find(odd, "gemini"), `${chats}/session-2026-11-19T09-00-Mara_s_t.jsonl`);
  });

  it("is found in any storage of VS Code's chats, or else in Copilot's log", async (t) => {
    const storage = "server/User/workspaceStorage/9f3";
    const empty = "Code/User/globalStorage/emptyWindowChatSessions";
    const { home, find } = foldersWith(t, {
      "Code/User/workspaceStorage/1c2/workspace.json": "{}",
      [`${storage}/chatSessions/${one}.json`]: "{}",
      [`${storage}/chatSessions/${one}.jsonl`]: "",
      [`${storage}/GitHub.copilot-chat/debug-logs/${one}/main.jsonl`]: "",
      [`${empty}/${odd}.json`]: "{}",
      [`Code/User/globalStorage/github.copilot-chat/debug-logs/${other}/main.jsonl`]: "",
    });
    assert.equal(await find(one, "vscode-chat"), `${storage}/chatSessions/${one}.jsonl`);
    assert.equal(await find(odd, "vscode-chat"), `${empty}/${odd}.json`);
    assert.equal(
      await find(other, "vscode-chat"),
      `Code/User/globalStorage/github.copilot-chat/debug-logs/${other}/main.jsonl`,
    );
    rmSync(path.join(home, storage, "chatSessions"), { recursive: true });
    assert.equal(
      await find(one, "vscode-chat"),
      `${storage}/GitHub.copilot-chat/debug-logs/${one}/main.jsonl`,
    );
  });

  it("is searched for only among its agent's sessions, or among all for an unknown agent", async (t) => {
    const file = `copilot/session-state/${one}/events.jsonl`;
    const { find } = foldersWith(t, { [file]: "" });
    assert.equal(await find(one), file);
    for (const agent of ["claude-code", "codex", "gemini", "vscode-chat", "of another time"])
      assert.equal(await find(one, agent), undefined, agent);
  });

  it("finds nothing if no agent has a folder", async (t) => {
    const { find } = foldersWith(t, {});
    assert.equal(await find(one), undefined);
  });

  it("finds nothing for an id that leads elsewhere", async (t) => {
    const { find } = foldersWith(t, {
      "claude/secret.jsonl": "",
      "claude/projects/-x/here.jsonl": "",
      "copilot/secret/events.jsonl": "",
      "copilot/session-state/events.jsonl": "",
      "Code/User/globalStorage/secret.json": "{}",
      "Code/User/globalStorage/emptyWindowChatSessions/here.json": "{}",
    });
    for (const id of [
      "../../secret",
      "../secret",
      "..\\..\\secret",
      "",
      ".",
      "..",
      "a/../here",
      "here\0",
      "*",
    ])
      assert.equal(await find(id), undefined, id);
    assert.equal(await find("here"), "claude/projects/-x/here.jsonl");
  });
});
