import path from "node:path";
import type { Uri, UIKind } from "vscode";
import type { SessionRoot, EditorFacts } from "../../engine/transcripts/agents.ts";
import type { Translate } from "../editor/describe-editor.ts";

/**
 * Returns the editor's `User` folder, two levels above an extension's global storage, or four with a profile; null where that
 * is not on disk, or has another form.
 */
export function userFolderOf({ scheme, fsPath }: Pick<Uri, "scheme" | "fsPath">): string | null {
  if (scheme !== "file") return null;
  const storages = path.dirname(fsPath);
  const user = path.dirname(storages);
  if (path.basename(storages) !== "globalStorage") return null;
  return path.basename(path.dirname(user)) === "profiles" ? path.dirname(path.dirname(user)) : user;
}

/** Adds this editor's own folder, which `--user-data-dir`, portable mode or another product may have moved. */
export function withEditor(roots: readonly SessionRoot[], userFolder: string | null): SessionRoot[] {
  const isKnown = userFolder === null || roots.some((root) => root.path === userFolder);
  return isKnown ? [...roots] : [...roots, { agent: "vscode-chat", path: userFolder }];
}

/** The fields used of a model that the editor offers. */
export interface OfferedModel {
  readonly vendor: string;
  readonly id: string;
  /** Tokens. */
  readonly maxInputTokens: number;
}

/** The facts about a window that the engine needs to follow its chats. */
export function chatFacts(folders: readonly string[], models: readonly OfferedModel[]): EditorFacts {
  const known = models.filter(({ maxInputTokens: room }) => Number.isSafeInteger(room) && room > 0);
  return {
    folder: folders[0] ?? null,
    models: Object.fromEntries(
      known.map(({ vendor, id, maxInputTokens }) => [`${vendor}/${id}`, maxInputTokens]),
    ),
  };
}

/** State of a window that decides whether its chats can be read. */
export interface ChatWindow {
  /** Undefined in a window of this machine. */
  readonly remoteName: string | undefined;
  readonly uiKind: UIKind;
  readonly hasCopilot: boolean;
  /** Sessions of VS Code's chat in this window, read from Copilot's log. */
  readonly logged: number;
}

/** In a remote window of a desktop the chats' files are on the desktop's machine, where this extension does not run. */
export function remoteChatNote(
  { remoteName, uiKind, hasCopilot, logged }: ChatWindow,
  desktop: UIKind,
  t: Translate,
): string | undefined {
  if (remoteName === undefined || uiKind !== desktop || !hasCopilot || logged > 0) return undefined;
  return t(
    "VS Code's own chats of this remote window are on your desktop's machine, where purser does not read them. Copilot logs their calls here if you turn on github.copilot.chat.agentDebugLog.fileLogging.enabled.",
  );
}
