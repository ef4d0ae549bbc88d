import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import * as vscode from "vscode";
import { eventually, test } from "./harness.ts";
import {
  beginSession,
  closeEditor,
  opensTranscript,
  response,
  workspaceFolder,
} from "./support/inside-session.ts";

test("a session that begins while the window is open is found, and its transcript opens by its id", async () => {
  const { id, transcript } = await beginSession(workspaceFolder());
  await eventually("the transcript in an editor", async () =>
    (await opensTranscript(id, transcript)) ? true : undefined,
  );
  await closeEditor();
});

test("the view shows a requested session, pinned or not", async () => {
  const { id, transcript } = await beginSession(workspaceFolder());
  await eventually("the session", async () => ((await opensTranscript(id, transcript)) ? true : undefined));
  await vscode.commands.executeCommand("purser.pinSession", id);
  await vscode.commands.executeCommand("purser.showSessions", id);
  await appendFile(transcript, response(id, workspaceFolder(), 60_000));
  await vscode.commands.executeCommand("purser.muteSession", id);
  await vscode.commands.executeCommand("purser.unmuteSession", id);
  await vscode.commands.executeCommand("purser.unpinSession");
  await closeEditor();
});

test("every setting has its default and a scope that fits", () => {
  const settings = vscode.workspace.getConfiguration("purser");
  const defaults = {
    "statusBar.percentOf": "window",
    "advice.wrapUpAt": null,
    "advice.endTurnAt": null,
    "warnings.enabled": true,
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

test("watches sessions in one terminal, and in another one after that was closed", async () => {
  const watching = () =>
    vscode.window.terminals.filter(({ name, exitStatus }) => name === "purser" && exitStatus === undefined);
  assert.equal(watching().length, 0);
  for (let times = 0; times < 3; times += 1) await vscode.commands.executeCommand("purser.watchInTerminal");
  const [first, ...others] = watching();
  assert.ok(first !== undefined);
  assert.deepEqual(others, []);
  first.dispose();
  await eventually("the terminal is closed", () => (watching().length === 0 ? true : undefined));
  await vscode.commands.executeCommand("purser.watchInTerminal");
  const [second] = watching();
  assert.ok(second !== undefined && second !== first);
  second.dispose();
});
