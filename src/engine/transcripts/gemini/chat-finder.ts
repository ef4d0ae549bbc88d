import path from "node:path";
import type * as live from "../live-reader.ts";
import { firstFile, pathsIn } from "../records/search.ts";
import { errorCode } from "../../base/result.ts";
import { readOpening } from "../open-file.ts";
import { findGeminiSessions, type GeminiFile } from "./gemini-files.ts";
import { LiveChat } from "./live-chat.ts";
import { statSync } from "node:fs";
import type { RowReading } from "../agent-session.ts";
import { parseJsonLine } from "../json-line.ts";
import type { WholeReader } from "../live-reader.ts";
import { readWholeFile } from "../usage-reader.ts";
import type { FoundFile } from "../walk-files.ts";
import type { ChatOwner } from "./message-events.ts";

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

/** A file and the session it belongs to. */
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
export async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
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

/** The folder of a session's subagents. */
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
