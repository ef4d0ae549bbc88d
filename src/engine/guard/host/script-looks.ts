import { createHash } from "node:crypto";
import path from "node:path";
import type { GuardedCall } from "../calls/find-hits.ts";

/** Maximum calls whose scripts are known until they end, and scripts of one call. */
const [maxCalls, maxScripts] = [200, 60];
/** Maximum sessions, and files of one session that its agent wrote. */
const [maxSessions, maxWritten] = [50, 200];
/** Maximum length of a text that is held until its edit is on the disk. Characters. */
const maxHeld = 60_000;
/** Time in which an allowed edit reaches the disk. Milliseconds. */
const editTime = 60_000;

interface Edit {
  readonly text: string | null;
  readonly removed: string | null;
  readonly at: number;
}

/** Files that agents wrote, and the scripts that were read: a script may change between the look at a call and its end. */
export class ScriptLooks {
  /** By a call's id: the hash of each script that was read; null for one that was not there. */
  readonly #calls = new Map<string, Map<string, string | null>>();
  readonly #sessions = new Map<string, Map<string, Edit>>();
  readonly #elapsed: () => number;

  /** @param elapsed milliseconds of a clock that is never set back */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Remembers an edit that is about to be made. */
  note(session: string, folder: string | null, call: GuardedCall): void {
    if (call.kind !== "file" || call.tool !== "edit") return;
    const { content, removed = null } = call;
    const file = path.resolve(folder ?? "/", call.file);
    const text = content === null || content.length > maxHeld ? null : content;
    const edits = this.#sessions.get(session) ?? new Map<string, Edit>();
    edits.delete(file);
    edits.set(file, { text, removed, at: this.#elapsed() });
    dropOldest(edits, maxWritten);
    this.#sessions.delete(session);
    this.#sessions.set(session, edits);
    dropOldest(this.#sessions, maxSessions);
  }

  /** Tests whether an edit of a session's agent wrote a file. */
  isWritten(session: string, file: string): boolean {
    return this.#sessions.get(session)?.has(file) ?? false;
  }

  /** Returns a script as it will be: an edit in the same turn may not be on the disk yet. */
  textOf(session: string, file: string, stored: string | null): string | null {
    const edit = this.#sessions.get(session)?.get(file);
    const { text = null, removed = null, at = -Infinity } = edit ?? {};
    if (text === null || this.#elapsed() - at > editTime) return stored;
    if (removed === null || removed === "") return stored?.includes(text) === true ? stored : text;
    if (stored === null || !stored.includes(removed)) return stored;
    return stored.replace(removed, () => text);
  }

  /** Remembers which scripts a call reads, as they are. */
  look(use: string, file: string, text: string | null): void {
    const looked = this.#calls.get(use) ?? new Map<string, string | null>();
    if (looked.size >= maxScripts || looked.has(file)) return;
    looked.set(file, hashOf(text));
    this.#calls.delete(use);
    this.#calls.set(use, looked);
    dropOldest(this.#calls, maxCalls);
  }

  /** Returns the scripts of a call that are no longer as they were, and forgets the call. */
  changedSince(use: string, read: (file: string) => string | null): readonly string[] {
    const looked = this.#calls.get(use);
    this.#calls.delete(use);
    if (looked === undefined) return [];
    return [...looked].flatMap(([file, hash]) => {
      const now = hashOf(read(file));
      return now === null || now === hash ? [] : [file];
    });
  }
}

function hashOf(text: string | null): string | null {
  return text === null ? null : createHash("sha256").update(text).digest("base64");
}

function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
