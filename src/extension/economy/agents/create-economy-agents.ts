import { plainSentence, t } from "../../../engine/base/language.ts";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { fail, succeed, type Result } from "../../../engine/base/result.ts";
import { cleanText } from "../../../engine/base/text.ts";
import {
  displayNameOf,
  handoverAgents,
  handoverWords,
  type HandoverWord,
} from "../../../engine/continuity/handover.ts";
import {
  writeDefinition,
  definitionText,
  isRecurringName,
  readDefinition,
  definitionFile,
  projectOf,
} from "../../../engine/recurring/agents.ts";
import { readEnvironment } from "../../editor/settings.ts";
import { windowFolders } from "../../editor/window-files.ts";
import { pickOne } from "../../editor/pick.ts";
import { installedAgents } from "../../handover/installed-agents.ts";
import type { Services } from "../../services.ts";
const maxModelLength = 200;

/**
 * Asks for a new agent's name, program and model, and writes its file.
 *
 * @returns the file; `cancelled` where a question was left
 */
export async function createAgent({
  sessions,
}: Pick<Services, "sessions">): Promise<Result<string, "cancelled" | "no_folder" | "not_written">> {
  const folder = await folderOf();
  if (!folder.ok) return folder;
  const project = projectOf(folder.value);
  const title = t("New Recurring Agent");
  const installed = installedAgents(readEnvironment(), process.platform);
  const name = await vscode.window.showInputBox({
    title,
    prompt: t(
      "The agent's name, and its file's: .purser/agents/NAME.md. You complete it before its first wake.",
    ),
    placeHolder: "keeper",
    validateInput: (text) => nameFault(text.trim(), project),
  });
  if (name === undefined || name.trim() === "")
    return fail("cancelled", plainSentence("a question was left"));
  const program = await askProgram(title, await installed);
  if (program === undefined) return fail("cancelled", plainSentence("a question was left"));
  const agent = handoverAgents[program].name;
  const used = sessions.all.find((session) => session.agent === agent && session.model !== null)?.model ?? "";
  const model = await vscode.window.showInputBox({
    title,
    prompt:
      used === ""
        ? t("The model, by {0}'s own name for it.", displayNameOf(program))
        : t("The model, by {0}'s own name for it. This one was used last.", displayNameOf(program)),
    value: cleanText(used),
    validateInput: modelFault,
  });
  if (model === undefined || model.trim() === "")
    return fail("cancelled", plainSentence("a question was left"));
  const file = definitionFile(project, name.trim());
  const text = definitionText({ name: name.trim(), program, model: model.trim() });
  const read = readDefinition(name.trim(), text);
  if (!read.ok) return fail("not_written", read.detail);
  const written = writeDefinition(file, text, project);
  return written.ok ? succeed(file) : fail("not_written", written.detail);
}

async function folderOf(): Promise<Result<string, "cancelled" | "no_folder">> {
  const [first, ...others] = windowFolders();
  if (first === undefined) return fail("no_folder", plainSentence("the window has no folder"));
  if (others.length === 0) return succeed(first);
  const picked = await vscode.window.showWorkspaceFolderPick({
    placeHolder: t("Which folder is the new agent for?"),
  });
  return picked === undefined
    ? fail("cancelled", plainSentence("a question was left"))
    : succeed(picked.uri.fsPath);
}

async function askProgram(
  title: string,
  installed: Awaited<ReturnType<typeof installedAgents>>,
): Promise<HandoverWord | undefined> {
  const isHere = (word: HandoverWord) => installed.some((each) => each.word === word);
  const items = handoverWords.map((word) => ({
    label: displayNameOf(word),
    description: isHere(word) ? "" : t("not installed"),
    word,
  }));
  const picked = await pickOne({
    title,
    placeholder: t("Which program runs the agent?"),
    items,
    first: items.find(({ word }) => isHere(word)),
  });
  return picked?.word;
}

function nameFault(name: string, project: string): string | undefined {
  if (name === "") return undefined;
  if (!isRecurringName(name))
    return t(
      "Write lower-case letters, digits and hyphens, at most 64, with a letter or digit at both ends.",
    );
  return existsSync(definitionFile(project, name)) ? t("There is an agent of this name already.") : undefined;
}

function modelFault(text: string): string | undefined {
  const model = text.trim();
  if (model.length > maxModelLength) return t("Write at most {0} characters.", maxModelLength);
  return cleanText(model) === model ? undefined : t("Write a name without control characters.");
}

/** Opens a new agent's file at the sentence that a person replaces. */
export async function showNewAgent(file: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  await vscode.window.showTextDocument(document, { selection: placeholderIn(document) });
}

function placeholderIn(document: vscode.TextDocument): vscode.Range {
  const text = document.getText();
  const start = text.indexOf("Describe here");
  const end = text.indexOf("counts as done.", start);
  if (start === -1 || end === -1) return new vscode.Range(0, 0, 0, 0);
  return new vscode.Range(document.positionAt(start), document.positionAt(end + "counts as done.".length));
}
