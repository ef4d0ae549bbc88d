import { type LiveReader, unsetAgentSettings } from "../live-reader.ts";
import { transcriptOf, findChats, type ChatFile, type LogFile, type Storage } from "./vscode-chat-files.ts";
import path from "node:path";
import type * as live from "../live-reader.ts";
import * as z from "zod/mini";
import { statsOf } from "../../base/files.ts";
import { ChatReader, EmptyChats } from "./chat-reader.ts";
import { EditorFactsFile, WorkingFolders } from "./working-folders.ts";
import { LogCover } from "./copilot-log/cover.ts";
import { LogRows } from "./copilot-log/copilot-log-rows.ts";
import { ModelWindows } from "./request-state.ts";
import { readJson } from "../../base/parse.ts";
import { optionalTokens, tokens } from "../row-values.ts";
import { readOpeningText } from "../open-file.ts";

/** Upper bound; the list is a few hundred kilobytes. Bytes. */
const maxSize = 8 * 1024 * 1024;

/** Members of Copilot's own list of models, which its log stores as `models.json` beside itself. */
const model = z.object({
  id: z.string(),
  capabilities: z.object({
    limits: z.object({
      max_context_window_tokens: z.catch(z.nullish(tokens.check(z.minimum(1))), null),
      max_prompt_tokens: z.catch(z.nullish(tokens.check(z.minimum(1))), null),
      max_output_tokens: optionalTokens,
    }),
  }),
});
const models = z.array(z.unknown());

/** The windows of models by name, from the list beside a log; read again after each change. */
class LogModels {
  readonly #path: string;
  #version = "";
  #windows: ReadonlyMap<string, number> = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  windowOf(name: string): number | null {
    const stats = statsOf(this.#path);
    const version = stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
    if (version !== this.#version) this.#windows = this.#read();
    this.#version = version;
    return this.#windows.get(name) ?? null;
  }

  #read(): ReadonlyMap<string, number> {
    const rows = readJson(models, readOpeningText(this.#path, maxSize)) ?? [];
    return new Map(rows.flatMap(windowOfRow));
  }
}

function windowOfRow(row: unknown): [string, number][] {
  const { data } = model.safeParse(row);
  if (data === undefined) return [];
  const {
    max_context_window_tokens: whole,
    max_prompt_tokens: prompt,
    max_output_tokens: output,
  } = data.capabilities.limits;
  // VS Code shows a model's window as the sum of the room for the prompt and for the answer.
  const window = whole ?? (prompt === null || prompt === undefined ? null : prompt + (output ?? 0));
  return window === null ? [] : [[data.id, window]];
}

/** Upper bound: a person may have opened thousands of folders. A new chat in an old one is found a little later. */
const maxWatched = 20;
const folderNames = ["chatsessions", "emptywindowchatsessions", "github.copilot-chat", "debug-logs"];
/** Conversations beside a chat that are not subagents. */
const helpers = /^(?:title|categor|summar|progress|intent|rename|followup)/iu;

class ChatFinder implements live.SessionFinder {
  readonly #roots: readonly string[];
  readonly #folders = new WorkingFolders();
  readonly #empty = new EmptyChats();
  #storages: readonly Storage[] = [];

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  find(since: number): live.FoundSessions {
    const { chats, logs, storages, problems } = findChats(this.#roots);
    this.#storages = storages;
    const used = chats.filter((chat) => chat.mtimeMs < since || !this.#empty.isEmpty(chat));
    const files = [
      ...logs.filter(({ child }) => child === null).map((log) => this.#logFile(log)),
      ...used.map((chat) => this.#chatFile(chat)),
      ...logs.filter(({ child }) => child !== null).map((log) => this.#logFile(log)),
    ];
    return { files, running: new Set(), problems };
  }

  folders(recent: Iterable<live.FollowedSession>): Set<string> {
    const folders = new Set<string>();
    for (const root of this.#roots)
      folders.add(root).add(path.join(root, "workspaceStorage")).add(path.join(root, "globalStorage"));
    for (const { holder, folders: own } of newest(this.#storages))
      for (const folder of [holder, ...own]) folders.add(folder);
    for (const { files } of recent) for (const file of files) folders.add(path.dirname(file.path));
    return folders;
  }

  matters(changedPath: string): boolean {
    if (!this.#roots.some((root) => changedPath.startsWith(root + path.sep))) return false;
    const name = path.basename(changedPath).toLowerCase();
    const [above, further] = [path.dirname(changedPath), path.dirname(path.dirname(changedPath))].map(
      (each) => path.basename(each).toLowerCase(),
    );
    if (folderNames.includes(name) || above === "workspacestorage" || above === "debug-logs") return true;
    const isFile = name.endsWith(".jsonl") || name.endsWith(".json");
    return isFile && (folderNames.includes(above ?? "") || further === "debug-logs");
  }

  #chatFile({ path: file, size, mtimeMs, sessionId, holder }: ChatFile): live.SessionFile {
    const open = () => {
      const facts = new EditorFactsFile(holder);
      const cover = new LogCover(holder, sessionId);
      const reader = new ChatReader(file, {
        sessionId,
        cwd: () => this.#folders.of(holder),
        windows: new ModelWindows((model) => facts.now().models[model] ?? null),
        cover: (writtenAt) => cover.at(writtenAt),
      });
      this.#empty.follow(file, reader);
      return reader;
    };
    return { path: file, size, mtimeMs, sessionId, agentId: null, kind: "whole", open, isAside: false };
  }

  #logFile({ path: file, size, mtimeMs, sessionId, holder, child }: LogFile): live.SessionFile {
    const role = child === null ? "chat" : helpers.test(child) ? "helper" : "subagent";
    const open = () => {
      const models = new LogModels(path.join(path.dirname(file), "models.json"));
      const windowOf = (model: string) => models.windowOf(model);
      return new LogRows({ sessionId, cwd: this.#folders.of(holder), role, windowOf });
    };
    const agentId = role === "subagent" ? child : null;
    return { path: file, size, mtimeMs, sessionId, agentId, kind: "lines", open };
  }
}

/** The storages with the latest changes. */
function newest(storages: readonly Storage[]): Storage[] {
  const dated = storages.map((storage) => ({
    storage,
    at: statsOf(storage.holder)?.mtimeMs ?? 0,
  }));
  const sorted = dated.toSorted((a, b) => b.at - a.at);
  return sorted.slice(0, maxWatched).map(({ storage }) => storage);
}

/**
 * VS Code names the window of each model itself. It has no compaction rule of its own: each participant may have one.
 */
export const liveReader: LiveReader = {
  finder: (roots) => new ChatFinder(roots),
  settings: () => ({ ...unsetAgentSettings, usesCatalogueWindows: false }),
  usualThreshold: () => null,
  cacheLife: null,
  compactionMarks: ["summarizeConversationHistory"],
  transcriptOf,
};
