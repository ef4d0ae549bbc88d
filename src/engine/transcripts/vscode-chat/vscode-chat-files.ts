import { type FileProblem } from "../../base/result.ts";
import path from "node:path";
import { firstFile, pathsIn, walkFiles, type FoundFile, listNames } from "../walk-files.ts";

/** A chat's own file, `.jsonl` or the older `.json`. */
export interface ChatFile extends FoundFile {
  readonly sessionId: string;
  /** The storage it is in: a folder's, or the shared one of all windows without a folder. */
  readonly holder: string;
}

/** One file of Copilot's log of a chat: about the chat itself, or about a subagent or helper that it called. */
export interface LogFile extends FoundFile {
  readonly sessionId: string;
  readonly holder: string;
  /** Name of the subagent or helper conversation in the file, such as a title's. Null for the chat's own. */
  readonly child: string | null;
}

export interface FoundChats {
  readonly chats: ChatFile[];
  readonly logs: LogFile[];
  /** Every storage, and the folders in it that hold chats or logs. */
  readonly storages: Storage[];
  readonly problems: FileProblem[];
}

export interface Storage {
  readonly holder: string;
  readonly folders: readonly string[];
}

/** The name of Copilot's own storage, compared without case. */
const copilot = "github.copilot-chat";
const copilotNames = ["GitHub.copilot-chat", copilot];
const logDepth = 1;

/**
 * Finds every chat below the `User` folders (see `chatRoots`), and Copilot's logs of them. If a chat exists in both
 * formats, the newer format counts, as in VS Code.
 */
export function findChats(roots: readonly string[]): FoundChats {
  const found: FoundChats = { chats: [], logs: [], storages: [], problems: [] };
  for (const root of roots) {
    const storages = path.join(root, "workspaceStorage");
    const shared = path.join(root, "globalStorage");
    for (const id of listNames(storages, found.problems))
      search(path.join(storages, id), "chatSessions", found);
    search(shared, "emptyWindowChatSessions", found);
  }
  return found;
}

/** Finds the chat's own file, or Copilot's log of a chat if its file is gone. */
export async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  const storages = await pathsIn(roots.map((root) => path.join(root, "workspaceStorage")));
  const shared = roots.map((root) => path.join(root, "globalStorage"));
  const folders = [
    ...storages.map((holder) => path.join(holder, "chatSessions")),
    ...shared.map((holder) => path.join(holder, "emptyWindowChatSessions")),
  ];
  const chats = folders.flatMap((folder) =>
    [`${id}.jsonl`, `${id}.json`].map((name) => path.join(folder, name)),
  );
  const logs = [...storages, ...shared].flatMap((holder) =>
    copilotNames.map((name) => path.join(holder, name, "debug-logs", id, "main.jsonl")),
  );
  return (await firstFile(chats)) ?? (await firstFile(logs));
}

/** @param chats name of the folder of chats */
function search(holder: string, chats: string, found: FoundChats): void {
  const names = listNames(holder, found.problems);
  const folders = names.filter((name) => name.toLowerCase() === copilot);
  const logFolders = folders.map((name) => path.join(holder, name, "debug-logs"));
  for (const folder of logFolders) addLogs(folder, holder, found);
  const chatFolders = names.includes(chats) ? [path.join(holder, chats)] : [];
  for (const folder of chatFolders) addChats(folder, holder, found);
  found.storages.push({ holder, folders: [...chatFolders, ...logFolders] });
}

function addLogs(folder: string, holder: string, found: FoundChats): void {
  const isLog = (name: string, depth: number) => depth === logDepth && name.endsWith(".jsonl");
  const { files, problems } = walkFiles(folder, { depth: logDepth, wanted: isLog });
  found.problems.push(...problems);
  for (const file of files) found.logs.push(logOf(file, holder));
}

function addChats(folder: string, holder: string, found: FoundChats): void {
  const { files, problems } = walkFiles(folder, { depth: 0, wanted: (name) => /\.jsonl?$/u.test(name) });
  found.problems.push(...problems);
  const paths = new Set(files.map(({ path: file }) => file));
  for (const file of files) {
    if (paths.has(`${file.path}l`)) continue;
    const sessionId = path.basename(file.path).replace(/\.jsonl?$/u, "");
    found.chats.push({ ...file, sessionId, holder });
  }
}

/** `<session>/main.jsonl`, or `<session>/<label>-<id>.jsonl` of a conversation beside it. */
function logOf(file: FoundFile, holder: string): LogFile {
  const sessionId = path.basename(path.dirname(file.path));
  const name = path.basename(file.path, ".jsonl");
  return { ...file, sessionId, holder, child: name === "main" ? null : name };
}
