import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";

/** Where the extension was told to look for transcripts. */
function transcriptPath(id: string): string {
  const root = process.env["CLAUDE_CONFIG_DIR"];
  assert.ok(root, "the tests need a CLAUDE_CONFIG_DIR of their own");
  return join(root, "projects", "-inside", `${id}.jsonl`);
}

function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "the tests need an open folder");
  return folder.uri.fsPath;
}

function response(id: string, cwd: string, input: number): string {
  const usage = { input_tokens: input, output_tokens: 10 };
  const message = {
    id: `msg_${randomUUID()}`,
    role: "assistant",
    model: "claude-sonnet-4-6",
    content: [],
    usage,
  };
  const timestamp = new Date().toISOString();
  return `${JSON.stringify({ type: "assistant", sessionId: id, cwd, timestamp, requestId: "req_1", message })}\n`;
}

async function beginSession(cwd: string): Promise<{ id: string; transcript: string }> {
  const id = randomUUID();
  const transcript = transcriptPath(id);
  await mkdir(dirname(transcript), { recursive: true });
  await writeFile(transcript, response(id, cwd, 50_000));
  return { id, transcript };
}

/** The command asks which session when it does not know the id; then nothing opens. */
async function opened(id: string, transcript: string): Promise<boolean> {
  void vscode.commands.executeCommand("purser.openTranscript", id);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  return vscode.window.activeTextEditor?.document.uri.fsPath === transcript;
}

test("a session that begins while the window is open is found, and its transcript opens by its id", async () => {
  const { id, transcript } = await beginSession(workspaceFolder());
  await eventually("the transcript in an editor", async () =>
    (await opened(id, transcript)) ? true : undefined,
  );
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
});

test("the view shows a session when it is asked for, pinned or not", async () => {
  const { id, transcript } = await beginSession(workspaceFolder());
  await eventually("the session", async () => ((await opened(id, transcript)) ? true : undefined));
  await vscode.commands.executeCommand("purser.pinSession", id);
  await vscode.commands.executeCommand("purser.showSessions", id);
  await appendFile(transcript, response(id, workspaceFolder(), 60_000));
  await vscode.commands.executeCommand("purser.muteSession", id);
  await vscode.commands.executeCommand("purser.unmuteSession", id);
  await vscode.commands.executeCommand("purser.unpinSession");
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
});

test("every setting has its default and a scope that fits", () => {
  const settings = vscode.workspace.getConfiguration("purser");
  const defaults = {
    "statusBar.percentOf": "window",
    "advice.wrapUpAt": 50,
    "advice.endTurnAt": 40,
    "warnings.enabled": true,
    "warnings.turnsBeforeCompaction": 3,
    "sessions.liveMinutes": 120,
    "compaction.fallbackTokens": null,
    models: {},
    "claude.configDir": "",
  };
  for (const [key, value] of Object.entries(defaults)) assert.deepEqual(settings.get(key), value, key);
});

test("a change of settings is taken while sessions are followed", async () => {
  const settings = vscode.workspace.getConfiguration("purser");
  await settings.update("advice.wrapUpAt", 90, vscode.ConfigurationTarget.Workspace);
  assert.equal(vscode.workspace.getConfiguration("purser").get("advice.wrapUpAt"), 90);
  await settings.update("advice.wrapUpAt", undefined, vscode.ConfigurationTarget.Workspace);
});
