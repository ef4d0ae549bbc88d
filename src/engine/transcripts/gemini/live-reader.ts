import { joined } from "../row-values.ts";
import {
  type LiveReader,
  type AgentSettings,
  type AgentSettingsInput,
  type WholeReader,
  unsetAgentSettings,
} from "../live-reader.ts";
import { statSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { errorCode } from "../../base/result.ts";
import { parseJsonc } from "../parse-jsonc.ts";
import type * as live from "../live-reader.ts";
import { firstFile, pathsIn, type FoundFile } from "../walk-files.ts";
import { readOpening } from "../open-file.ts";
import { findGeminiSessions, type GeminiFile } from "./gemini-files.ts";
import { LiveChat, type ChatOwner } from "./live-chat.ts";
import type { RowReading } from "../agent-session.ts";
import { parseJsonLine } from "../json-line.ts";
import { readWholeFile } from "../usage-reader.ts";
import { readSmallText } from "../../base/files.ts";

/** Upper bound: a whole session in one object is parsed at once. Bytes. */
const maxObjectSize = 64 * 1024 * 1024;

/** Follows a session of the old format: one object that is rewritten with each message. */
class LegacyChat implements WholeReader {
  readonly #path: string;
  readonly #chat: LiveChat;

  constructor(path: string, owner: ChatOwner) {
    this.#path = path;
    this.#chat = new LiveChat(owner);
  }

  stats(): Omit<FoundFile, "path"> | undefined {
    return statSync(this.#path, { throwIfNoEntry: false });
  }

  /** Returns nothing while the file is being written: it is read again afterwards. */
  read(): readonly RowReading[] {
    const whole = readWholeFile(this.#path, maxObjectSize);
    if (!whole.ok) return [];
    if (whole.value === undefined) return [{ outcome: "unknown", type: "oversized" }];
    const parsed = parseJsonLine(whole.value);
    return parsed.kind === "value" ? [this.#chat.readRow(parsed.value)] : [];
  }
}

/** The header comes first, and its first member is the id. Bytes. */
const openingSize = 4096;

interface Chat {
  readonly file: GeminiFile;
  readonly sessionId: string;
  readonly agentId: string | null;
}

/** Finds Gemini CLI's sessions. Nothing on the disk shows whether a session has a process. */
export class ChatFinder implements live.SessionFinder {
  readonly #roots: readonly string[];
  /** Ids by path: a file never changes its session. */
  readonly #ids = new Map<string, string>();
  #folders: readonly string[] = [];

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  find(since: number): live.FoundSessions {
    const { files, problems, projects } = findGeminiSessions(this.#roots);
    const filled = new Set(files.map((file) => path.dirname(file.path)));
    this.#folders = projects.flatMap((project) => {
      const chats = path.join(project, "chats");
      return filled.has(chats) ? [chats] : [project, chats];
    });
    const own = files.filter(({ parentId }) => parentId === null);
    const chats = own.flatMap((file) => this.#chat(file, since) ?? []);
    const ids = new Map(chats.map(({ sessionId }) => [folderName(sessionId), sessionId]));
    const subagents = files.flatMap((file): Chat[] =>
      file.parentId === null
        ? []
        : [
            {
              file,
              sessionId: ids.get(file.parentId) ?? file.parentId,
              agentId: path.basename(file.path, ".jsonl"),
            },
          ],
    );
    const paths = new Set(own.map((file) => file.path));
    // A resumed session of the old format is copied to a file beside it.
    const current = chats.filter(({ file }) => !paths.has(`${file.path}l`));
    return { files: [...current, ...subagents].map(sessionFile), running: new Set(), problems };
  }

  folders(recent: Iterable<live.FollowedSession>): Set<string> {
    const folders = new Set([...this.#roots, ...this.#folders]);
    for (const { files } of recent)
      for (const { path: file, sessionId, agentId } of files)
        if (agentId === null) folders.add(path.join(path.dirname(file), folderName(sessionId)));
    return folders;
  }

  /** Ignores other files that the agent writes into a project's folder. */
  matters(changedPath: string): boolean {
    return this.#roots.some((root) => {
      const [first, second] = path.relative(root, changedPath).split(path.sep);
      if (first === undefined || first === ".." || path.isAbsolute(first)) return false;
      return second === undefined || second === "chats" || second === ".project_root";
    });
  }

  /** Undefined for a file whose header is not written yet. Older files need not be opened. */
  #chat(file: GeminiFile, since: number): Chat | undefined {
    const name = path.basename(file.path).replace(/\.jsonl?$/u, "");
    const known = this.#ids.get(file.path);
    const sessionId = known ?? (file.mtimeMs < since ? name : sessionIdIn(file.path, name));
    if (sessionId === undefined) return undefined;
    if (sessionId !== name) this.#ids.set(file.path, sessionId);
    return { file, sessionId, agentId: null };
  }
}

/** Characters of the session's id at the end of a file's name. */
const namedLength = 8;

/** Finds the newest file of a session: a resumed one of the old format is copied to a file beside it. */
async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  const end = `-${folderName(id.slice(0, namedLength))}`;
  const projects = await pathsIn(roots);
  const files = await pathsIn(projects.map((project) => path.join(project, "chats")));
  const named = files.filter((file) => {
    const stem = /^(session-.+)\.jsonl?$/u.exec(path.basename(file))?.[1];
    return stem !== undefined && folderName(stem).endsWith(end);
  });
  const own = named.filter((file) => sessionIdIn(file) === id);
  return await firstFile(own.toSorted((a, b) => (path.basename(a) < path.basename(b) ? 1 : -1)));
}

function folderName(sessionId: string): string {
  return sessionId.replace(/[^a-zA-Z0-9_-]/gu, "_");
}

/** Returns the file's name where it cannot be opened, so that the file is followed and its reader reports why. */
function sessionIdIn(file: string, name?: string): string | undefined {
  try {
    const text = readOpening(file, openingSize)?.toString("utf8") ?? "";
    return /"sessionId"\s*:\s*"([^"\\]{1,200})"/u.exec(text)?.[1];
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : name;
  }
}

function sessionFile({ file, sessionId, agentId }: Chat): live.SessionFile {
  const { path: name, size, mtimeMs, cwd } = file;
  const found = { path: name, size, mtimeMs, sessionId, agentId };
  const owner = { sessionId, agentId, cwd };
  return name.endsWith(".jsonl")
    ? { ...found, kind: "lines", open: () => new LiveChat(owner) }
    : { ...found, kind: "whole", isAside: false, open: () => new LegacyChat(name, owner) };
}

const threshold = z.catch(z.optional(z.number().check(z.positive())), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);

const settingsFile = z.looseObject({
  model: z.catch(z.looseObject({ compressionThreshold: threshold }), {}),
  experimental: z.catch(
    z.looseObject({
      contextManagement: flag,
      generalistProfile: flag,
      powerUserProfile: flag,
      stressTestProfile: flag,
    }),
    {},
  ),
});
type SettingsFile = z.infer<typeof settingsFile>;

/** Larger files are not read as settings. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/** Share of the window at which the agent compresses. Source: `settingsSchema.ts` in the package of 0.61.0. */
const defaultThreshold = 0.5;

/**
 * Reads the agent's settings; the project's override the user's. Ignores a file that is missing or does not parse. The
 * threshold is always set, because the agent's own settings have a default: past compressions cannot improve it.
 */
export function readCompressionSettings({
  root,
  cwd,
}: Pick<AgentSettingsInput, "root" | "cwd">): AgentSettings {
  const files = settingsPaths(root, cwd).flatMap((file) => readFile(file) ?? []);
  const set = files.map(({ model }) => model.compressionThreshold).findLast((value) => value !== undefined);
  return {
    ...unsetAgentSettings,
    // These profiles keep the history short in another way, and never compress.
    autoCompact: !profiles.some((name) => isOn(files, name)),
    compactPercent: percentOf(set ?? defaultThreshold),
  };
}

/** Rounds away the noise of a binary fraction. */
function percentOf(share: number): number {
  return Math.round(share * 1e8) / 1e6;
}

const profiles = ["contextManagement", "generalistProfile", "powerUserProfile", "stressTestProfile"] as const;

function isOn(files: readonly SettingsFile[], name: (typeof profiles)[number]): boolean {
  return (
    files.map(({ experimental }) => experimental[name]).findLast((value) => value !== undefined) === true
  );
}

/**
 * The settings are beside the sessions' folder. Ignores a relative `cwd`: it comes from the agent's files and would be
 * resolved against our own working folder.
 */
function settingsPaths(root: string | null, cwd: string | null): string[] {
  const user = root === null ? [] : [path.join(path.dirname(root), "settings.json")];
  const isUsable = cwd !== null && path.isAbsolute(cwd);
  return isUsable ? [...user, path.join(cwd, ".gemini", "settings.json")] : user;
}

/** Reads JSON with comments, as the agent does. */
function readFile(file: string): SettingsFile | undefined {
  return settingsFile.safeParse(parseJsonc(readSmallText(file, maxFileSize) ?? "")).data;
}

export const liveReader: LiveReader = {
  finder: (roots) => new ChatFinder(roots),
  settings: readCompressionSettings,
  /** Compared with the size of the last request, before each request. Source: `chatCompressionService.ts` of 0.61.0. */
  usualThreshold: ({ window, settings: { compactPercent } }) =>
    compactPercent === null ? null : Math.ceil((window * compactPercent) / 100),
  // The API caches by itself and promises no duration.
  cacheLife: null,
  compactionMarks: ["<state_snapshot>"],
  storedId: (messageId, sessionId) => joined("gemini", sessionId, messageId),
  transcriptOf,
};
