import { statSync, type Stats } from "node:fs";
import * as z from "zod/mini";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import { readJson } from "../../../base/parse.ts";
import type { RowReading } from "../../agent-session.ts";
import type { WholeReader } from "../../live-reader.ts";
import { readOpening } from "../../open-file.ts";

const namedThread = z.looseObject({ id: z.string(), thread_name: z.string() });

/** Larger than any real list of names. Bytes. */
const maxSize = 4 * 1024 * 1024;
/** A row may be long; stored parts of it are cut to this length. Characters. */
const maxNameLength = 1000;

/** The names that people gave to their threads: Codex appends each to `session_index.jsonl`. */
export class ThreadNames {
  readonly path: string;
  #names: ReadonlyMap<string, string> = new Map();
  #version = "";

  constructor(path: string) {
    this.path = path;
  }

  stats(): Stats | undefined {
    return statSync(this.path, { throwIfNoEntry: false });
  }

  of(threadId: string): string | undefined {
    const stats = this.stats();
    const version = `${stats?.size} ${stats?.mtimeMs}`;
    if (version !== this.#version) this.#names = this.#read();
    this.#version = version;
    return this.#names.get(threadId);
  }

  /** The last name of a thread counts. */
  #read(): Map<string, string> {
    let text = "";
    try {
      text = String(readOpening(this.path, maxSize) ?? "");
    } catch (error) {
      rethrowUnlessSystemError(error);
    }
    const rows = text.split("\n").flatMap((line) => readJson(namedThread, line) ?? []);
    return new Map(rows.map(({ id, thread_name: name }) => [id, name.slice(0, maxNameLength)]));
  }
}

/** Reads one thread's name after each change of the file. */
export class ThreadNameReader implements WholeReader {
  readonly #names: ThreadNames;
  readonly #threadId: string;

  constructor(names: ThreadNames, threadId: string) {
    this.#names = names;
    this.#threadId = threadId;
  }

  stats(): ReturnType<WholeReader["stats"]> {
    return this.#names.stats();
  }

  read(): readonly RowReading[] {
    const title = this.#names.of(this.#threadId);
    if (title === undefined) return [];
    return [{ outcome: "known", isSidechain: false, at: null, events: [{ kind: "title", title }] }];
  }
}
