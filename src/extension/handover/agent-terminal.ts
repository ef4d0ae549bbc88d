import os from "node:os";
import * as vscode from "vscode";
import { purserPaths } from "../../engine/base/paths.ts";
import { startOf } from "../../engine/base/process.ts";
import type { HandoverDraft } from "../../engine/continuity/continuity-answers.ts";
import { displayNameOf, handoverAgents, launchArguments } from "../../engine/continuity/handover.ts";
import { agentOf } from "../../engine/transcripts/agents.ts";
import { readEnvironment } from "../editor/settings.ts";
import type { InstalledAgent } from "./installed-agents.ts";

/** Starts an agent with a document in a terminal of the window, in the document's folder. */
export function openAgentTerminal(
  { word, file: program }: InstalledAgent,
  draft: HandoverDraft,
): vscode.Terminal {
  const { platform } = process;
  const { id, text, file, folder } = draft;
  const place = handoversFolder();
  const args = launchArguments({ word, id, text, file, folder: place, platform, isAttended: true });
  const started = startOf(program, args, platform);
  const { name } = handoverAgents[word];
  const { CLAUDE_CONFIG_DIR: folders } = readEnvironment();
  const terminal = vscode.window.createTerminal({
    name: displayNameOf(word),
    iconPath: new vscode.ThemeIcon(agentOf(name).icon),
    shellPath: started.file,
    shellArgs: [...started.args],
    ...(folder === null ? {} : { cwd: folder }),
    ...(folders === undefined ? {} : { env: { CLAUDE_CONFIG_DIR: folders } }),
  });
  terminal.show();
  return terminal;
}

export function handoversFolder(): string {
  return purserPaths({ env: readEnvironment(), home: os.homedir() }).handovers;
}
