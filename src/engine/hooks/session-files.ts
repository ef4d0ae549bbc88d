import { type Sentence, sentence } from "../base/language.ts";
import { randomUUID } from "node:crypto";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sha256Hex } from "../base/hash.ts";
import * as z from "zod/mini";
import { readJson } from "../base/parse.ts";
import { writeAtomically, isLeftover, nodeFiles, type FilePort } from "../base/files.ts";
import { type Clock, Throttle } from "../base/timing.ts";
import type { Disposable } from "../base/events.ts";
import { errorCode } from "../base/result.ts";
import { maxSessions, SessionMemory } from "../base/per-session.ts";
import { RepeatedProblems } from "./hooks-handler.ts";
import { readPrivateFile, ensurePrivateFolder } from "../base/private-files.ts";

export interface SessionFilesPorts {
  readonly folder: string;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
  readonly files?: FilePort;
}

const kept = z.object({
  schema: z.literal(1),
  session: z.string().check(z.minLength(1), z.maxLength(256)),
  /** Time of writing. Milliseconds since the epoch. */
  at: z.number(),
  parts: z.record(z.string(), z.unknown()),
});
type StoredSession = z.infer<typeof kept>;

/** Minimum time between two writes of the changed sessions. Milliseconds. */
const writeInterval = 1000;
/** Sessions unchanged for longer are not loaded again. Milliseconds. */
const maxAgeMs = 30 * 24 * 60 * 60_000;
/** Larger files are rejected; a session's state is bounded far below this. Bytes. */
const maxFileSize = 4 * 1024 * 1024;
const fileName = /^[0-9a-f]{32}\.json$/u;
const setAside = ".damaged";

/**
 * Persists the memory of sessions over service restarts: one small file per session, replaced as a whole.
 * Writes are not flushed to disk. Hooks wait for a write only after an answer, or at the end of a session. So
 * a killed service loses other changes of its last second, and one that shuts down loses nothing.
 */
export class SessionFiles implements Disposable {
  readonly memory = new SessionMemory();
  readonly #ports: SessionFilesPorts;
  readonly #problems: RepeatedProblems;
  readonly #changed = new Set<string>();
  readonly #throttle: Throttle;
  #listening: Disposable | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(ports: SessionFilesPorts) {
    this.#ports = ports;
    this.#problems = new RepeatedProblems(ports.onProblem, () => ports.clock.now());
    this.#throttle = new Throttle(writeInterval, () => {
      this.#write();
      return true;
    });
  }

  start(): void {
    const { folder, onProblem } = this.#ports;
    const ensured = ensurePrivateFolder(folder);
    if (!ensured.ok) {
      onProblem(`What is known of sessions is not kept: ${ensured.detail.text}`);
      return;
    }
    this.#read();
    this.#listening = this.memory.onChange((session) => {
      this.#changed.add(session);
      this.#throttle.request();
    });
  }

  /** Writes a changed session at once, so that it outlasts a service killed right after. */
  async settle(session: string): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      if (this.#changed.delete(session)) await this.#writeOne(session);
    });
    await this.#writing;
  }

  async stop(): Promise<void> {
    this.dispose();
    this.#write();
    await this.#writing;
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#throttle.dispose();
    this.memory.dispose();
  }

  #read(): void {
    const { clock, onProblem } = this.#ports;
    const found = this.#names().flatMap((name) => this.#readOne(name) ?? []);
    const newest = Math.max(...found.map(({ at }) => at), -Infinity);
    // Starts from the earlier of now and the newest file. A clock that jumped ahead makes all files look old;
    // a file written during such a jump looks newest.
    const limit = Math.min(clock.now(), newest) - maxAgeMs;
    const recent = found.filter(({ at }) => at > limit).toSorted((a, b) => a.at - b.at);
    const taken = new Set(recent.slice(-maxSessions));
    for (const one of found) if (!taken.has(one)) this.#remove(this.#fileOf(one.session));
    for (const { session, parts } of taken)
      for (const part of this.memory.load(session, parts))
        onProblem(`${this.#fileOf(session)}: its ${part} cannot be read, and begins anew`);
  }

  /** Returns undefined for anything but an intact session file. */
  #readOne(name: string): StoredSession | undefined {
    const file = path.join(this.#ports.folder, name);
    if (isLeftover(name)) this.#remove(file);
    else if (name.endsWith(setAside)) this.#removeOld(file);
    if (!fileName.test(name)) return undefined;
    const text = readPrivateFile(file, maxFileSize);
    const read = text.ok ? readJson(kept, text.value) : null;
    if (read !== null && this.#fileOf(read.session) === file) return read;
    this.#putAside(file, text.ok ? sentence("it is damaged") : text.detail);
    return undefined;
  }

  #names(): string[] {
    const { folder, onProblem } = this.#ports;
    try {
      return readdirSync(folder);
    } catch (error) {
      onProblem(`${folder}: ${errorCode(error)}`);
      return [];
    }
  }

  #putAside(file: string, why: Sentence): void {
    const { onProblem } = this.#ports;
    try {
      renameSync(file, `${file}${setAside}`);
      onProblem(`${file}: ${why.text}; it was set aside, and what it knew of its session is forgotten`);
    } catch (error) {
      onProblem(`${file}: ${why.text}, and it could not be set aside: ${errorCode(error)}`);
    }
  }

  #removeOld(file: string): void {
    const age = this.#ports.clock.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > maxAgeMs) this.#remove(file);
  }

  #remove(file: string): void {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      this.#ports.onProblem(`${file}: ${errorCode(error)}`);
    }
  }

  #write(): void {
    this.#writing = this.#writing.then(() => this.#writeChanged());
  }

  async #writeChanged(): Promise<void> {
    // Other handlers of the same hook may still make changes.
    await nextTurn();
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const session of changed) await this.#writeOne(session);
  }

  async #writeOne(session: string): Promise<void> {
    const { clock, files = nodeFiles } = this.#ports;
    const file = this.#fileOf(session);
    const parts = this.memory.dump(session);
    try {
      if (parts === null) {
        await files.remove(file);
        return;
      }
      const one: StoredSession = { schema: 1, session, at: clock.now(), parts };
      const bytes = Buffer.from(`${JSON.stringify(one)}\n`);
      await writeAtomically(file, bytes, { files, unique: randomUUID, isDurable: false });
    } catch (error) {
      // It is retried with the next change, or when the service ends.
      this.#changed.add(session);
      this.#problems.add("unwritten", `What is known of sessions cannot be written: ${errorCode(error)}`);
    }
  }

  /** Session ids come from outside and are not safe as file names, so they are hashed. */
  #fileOf(session: string): string {
    const name = sha256Hex(session, 32);
    return path.join(this.#ports.folder, `${name}.json`);
  }
}
