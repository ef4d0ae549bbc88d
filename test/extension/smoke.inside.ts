import assert from "node:assert/strict";
import * as vscode from "vscode";
import { z } from "zod";
import { eventually, test } from "./harness.ts";

const manifestSchema = z.object({
  contributes: z.object({ commands: z.array(z.object({ command: z.string() })) }),
});

function purser(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension("context-purser.context-purser");
  assert.ok(extension, "VS Code does not know the extension");
  return extension;
}

test("the extension activates by itself, without an error", async () => {
  await eventually("an active extension", () => (purser().isActive ? true : undefined));
});

test("every command of the manifest is registered", async () => {
  await purser().activate();
  const { contributes } = manifestSchema.parse(purser().packageJSON);
  const registered = new Set(await vscode.commands.getCommands(true));
  const missing = contributes.commands
    .map(({ command }) => command)
    .filter((command) => !registered.has(command));
  assert.deepEqual(missing, []);
});
