import * as vscode from "vscode";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";
import { type AgentDefinition, memoryLine, memoryLineIndex } from "../../engine/rules/agent-definition.ts";
import { readReceipt } from "../../engine/verdict/receipt.ts";
import type { Place } from "../../webview/rules/rules-protocol.ts";
import { windowOf } from "../experiments/bench-window.ts";
import { RulesController } from "./rules-controller.ts";
import { SinglePanel, type PanelPorts, type PanelServices } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { openTextCommand, type ReadOnlyText } from "../editor/read-only-texts.ts";
import { receiptText } from "./describe-rules.ts";
import { warn } from "../editor/notices.ts";
import { windowFolders } from "../editor/window-files.ts";
import { pickMainFile } from "./pick-main-file.ts";
import { inWords, t } from "../../engine/base/language.ts";

export interface RulesPanelPorts {
  readonly root: () => string;
  readonly add: () => void;
  readonly promote: (item: LearnedItem) => void;
  readonly definitions: () => Promise<readonly AgentDefinition[]>;
}

/** The one Rules panel of a window, when it is open. */
export class RulesPanel extends SinglePanel<RulesController> {
  constructor(services: Omit<PanelServices, "follow">, own: RulesPanelPorts) {
    super(services, panels.rules, (ports) => createController(ports, services, own));
  }

  /** @param place what to show; without it, the last one shown */
  show(place: Place | undefined): void {
    this.reveal((talk) => {
      if (place !== undefined) talk.show(place);
    });
  }
}

function createController(
  ports: PanelPorts,
  services: Pick<PanelServices, "sample">,
  own: RulesPanelPorts,
): RulesController {
  return new RulesController({
    ...ports,
    ...own,
    window: windowOf(services),
    openFile: (file, line) => void openAt(file, line),
    addMemory: (file) => void addMemory(file),
    folders: windowFolders,
    pickMainFile,
    openReceipt: (json) => void openReceipt(json),
    openText: (text) => void openText({ name: t("What a run did"), isMarkdown: false, text }),
    isThere,
  });
}

/**
 * Opens a file through the editor itself: this extension never receives a large file. @param line starts at 1
 */
async function openAt(file: string, line: number): Promise<void> {
  const position = new vscode.Position(Math.max(0, line - 1), 0);
  const selection = new vscode.Range(position, position);
  try {
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file), { preview: true, selection });
  } catch (error) {
    await warn(t("It could not be opened: {0}", String(error)));
  }
}

/** Inserts the line that gives an agent its memory, saves it, and offers to take it back. */
async function addMemory(file: string): Promise<void> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    if (document.isDirty) {
      await warn(t("{0} has unsaved changes. Save it, and try again.", file));
      return;
    }
    const line = memoryLineIndex(document.getText());
    if (line === null) {
      const message = t("This definition has no front matter between --- lines. Add: {0}", memoryLine);
      await warn(message);
      return;
    }
    const position = new vscode.Position(line, 0);
    const isDone = await applyAndSave(document, (edit) =>
      edit.insert(document.uri, position, `${memoryLine}\n`),
    );
    if (!isDone) {
      await warn(t("{0} could not be saved.", file));
      return;
    }
    const undo = t("Undo");
    const message = t("{0} is in {1}: its rules reach this agent now.", memoryLine, file);
    if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
    const added = document.lineAt(Math.min(line, document.lineCount - 1));
    const isThere =
      added.text === memoryLine &&
      (await applyAndSave(document, (edit) => edit.delete(document.uri, added.rangeIncludingLineBreak)));
    if (!isThere) await warn(t("{0} has changed meanwhile, and is left as it is.", file));
  } catch (error) {
    await warn(t("It could not be opened: {0}", String(error)));
  }
}

async function applyAndSave(
  document: vscode.TextDocument,
  change: (edit: vscode.WorkspaceEdit) => void,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  change(edit);
  return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}

/**
 * Opens a receipt for reading. One that was tampered with is not shown as a receipt.
 */
async function openReceipt(json: string): Promise<void> {
  const receipt = readReceipt(json);
  if (!receipt.ok) {
    await warn(inWords(receipt.detail));
    return;
  }
  const name = t("Receipt of {0}", new Date(receipt.value.at).toISOString().slice(0, 10));
  await openText({ name, isMarkdown: true, text: receiptText(receipt.value, t) });
}

async function openText(text: ReadOnlyText): Promise<void> {
  await vscode.commands.executeCommand(openTextCommand, text);
}

async function isThere(file: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.file(file));
    return true;
  } catch (error) {
    return !(error instanceof vscode.FileSystemError && error.code === "FileNotFound");
  }
}
