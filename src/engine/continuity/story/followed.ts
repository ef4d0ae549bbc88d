import { FileTail } from "../../transcripts/file-tail.ts";
import type { PastRows, PastFile } from "../../transcripts/past.ts";
import { parseJson } from "../../base/parse.ts";
import { Story, type StoryOptions } from "./story.ts";
import { KeptTurns } from "./kept-turns.ts";

export interface StoryPorts extends StoryOptions {
  /** Yields to other work between two parts. */
  readonly pause: () => Promise<void>;
}

/** Bytes read at once: some milliseconds of work. */
const part = 64 * 1024;

interface Followed {
  readonly tail: FileTail;
  readonly rows: PastRows;
}

/**
 * A session's story, kept up to date from its files. Reads only what was appended, unless the file was
 * rewritten or a person went back and abandoned turns already read.
 */
export class FollowedStory {
  readonly #ports: StoryPorts;
  readonly #filesOf: () => readonly Pick<PastFile, "path" | "rows">[];
  readonly #followed = new Map<string, Followed>();
  #story: Story;
  #turns = new KeptTurns();
  #reading: Promise<Story> | null = null;
  #isRestarted = false;

  /** Whether a person went back and abandoned a part of it. */
  get isRewound(): boolean {
    return this.#turns.left.size > 0;
  }

  /** @param filesOf the session's own file first, then its subagents' files as they appear */
  constructor(filesOf: () => readonly Pick<PastFile, "path" | "rows">[], ports: StoryPorts) {
    this.#filesOf = filesOf;
    this.#ports = ports;
    this.#story = new Story(ports);
  }

  /** Reads what was appended since. Concurrent callers share one read. */
  now(): Promise<Story> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<Story> {
    for (const { path, rows } of this.#filesOf()) {
      if (rows === null) continue;
      const followed = this.#followed.get(path) ?? this.#follow(path, rows);
      while (followed.tail.poll(part).more && !this.#isRestarted) await this.#ports.pause();
      if (this.#isRestarted) return await this.#readAgain(new KeptTurns());
    }
    return this.#turns.isChanged ? await this.#readAgain(new KeptTurns(this.#turns.left)) : this.#story;
  }

  /** Reads all files again, because a file was rewritten or a part of it was abandoned. */
  async #readAgain(turns: KeptTurns): Promise<Story> {
    this.#isRestarted = false;
    this.#turns = turns;
    this.#followed.clear();
    this.#story = new Story(this.#ports);
    return await this.#read();
  }

  #follow(path: string, rows: () => PastRows): Followed {
    const followed: Followed = {
      rows: rows(),
      tail: new FileTail(path, {
        onRestart: () => {
          this.#isRestarted = true;
        },
        onLine: (line) => {
          if (this.#isRestarted) return true;
          const row = parseJson(line.toString("utf8"));
          for (const event of followed.rows.read(row)) if (this.#turns.keeps(event)) this.#story.add(event);
          return row !== undefined;
        },
        onOversized: () => undefined,
      }),
    };
    this.#followed.set(path, followed);
    return followed;
  }
}
