import * as vscode from "vscode";
import { editorFactsFile } from "../../engine/transcripts/vscode-chat/vscode-chat-roots.ts";
import { errorText } from "../../engine/base/error-text.ts";
import { windowFolders } from "../editor/window-folders.ts";
import type { Services } from "../services.ts";
import { chatFacts, type OfferedModel } from "./chat-facts.ts";

/**
 * Leaves what only a window knows of its chats, its folder and its models' windows, in this extension's storage, which is beside
 * the chats: readers find it there even when the window is closed. Nothing is asked or written before there is a chat.
 */
export function registerChatFacts({ context, sessions, log }: Services): vscode.Disposable {
  let written = "";
  let isAsking = false;
  let again = false;
  const tell = async () => {
    const holder = context.storageUri ?? context.globalStorageUri;
    const facts = chatFacts(windowFolders(), await offeredModels());
    const text = `${JSON.stringify(facts, null, 2)}\n`;
    if (holder.scheme !== "file" || text === written) return;
    await vscode.workspace.fs.createDirectory(holder);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(holder, editorFactsFile), Buffer.from(text));
    written = text;
  };
  const update = async () => {
    again = isAsking;
    if (isAsking) return;
    isAsking = true;
    try {
      await tell();
    } catch (error) {
      log.warn(`What this window knows of its chats cannot be stored: ${errorText(error)}`);
    }
    isAsking = false;
    if (again) await update();
  };
  const hasChat = () => sessions.all.some(({ agent }) => agent === "vscode-chat");
  const inCase = () => (hasChat() ? void update() : undefined);
  let wasThere = false;
  return vscode.Disposable.from(
    sessions.onChange(() => {
      if (!wasThere && hasChat()) inCase();
      wasThere = hasChat();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(inCase),
    vscode.lm.onDidChangeChatModels(inCase),
  );
}

async function offeredModels(): Promise<readonly OfferedModel[]> {
  return await vscode.lm.selectChatModels({});
}
