import type { TranscriptFile } from "../transcripts/claude/files.ts";
import { readRow } from "../transcripts/claude/read-row.ts";
import { readSubagentMeta } from "../transcripts/claude/subagent-meta.ts";
import { FileTail, type TailState } from "../transcripts/file-tail.ts";
import { SessionAccount } from "./session-account.ts";

/** Bytes read from one file in one go, so that a file of several GB does not hold up the others. */
const budget = 8 * 1024 * 1024;

interface Source {
  readonly tail: FileTail;
  readonly agentId: string | null;
  state: TailState;
}

export interface ReadResult {
  readonly changed: boolean;
  /** There is more to read: call again. */
  readonly more: boolean;
}

/** Keeps the account of one session up to date from its files. When one of them starts over, the account does too. */
export class SessionReader {
  readonly id: string;
  account: SessionAccount;
  readonly #sources = new Map<string, Source>();
  #lines = 0;

  constructor(id: string) {
    this.id = id;
    this.account = new SessionAccount(id);
  }

  /** The session's main file, or the first file known of it. */
  get transcript(): string {
    const sources = [...this.#sources.values()];
    return (sources.find(({ agentId }) => agentId === null) ?? sources[0])?.tail.path ?? "";
  }

  /** Files that cannot be read now, and why. */
  get problems(): { path: string; reason: TailState }[] {
    return [...this.#sources.values()]
      .filter(({ state }) => state === "denied" || state === "refused")
      .map(({ tail, state }) => ({ path: tail.path, reason: state }));
  }

  /** True while at least one of its files is there. */
  get exists(): boolean {
    return [...this.#sources.values()].some(({ state }) => state !== "gone");
  }

  has(path: string): boolean {
    return this.#sources.has(path);
  }

  addFile(file: Pick<TranscriptFile, "path" | "agentId">): void {
    if (!this.#sources.has(file.path)) this.#sources.set(file.path, this.#open(file));
  }

  /** Reads what was appended to all of its files, main file first. */
  read(): ReadResult {
    const before = this.#lines;
    let more = false;
    let restarted = false;
    for (const source of this.#sources.values()) {
      const stateBefore = source.state;
      const poll = source.tail.poll(budget);
      source.state = poll.state;
      more ||= poll.more;
      restarted ||= poll.restarted || (stateBefore === "reading" && poll.state === "gone");
      if (source.agentId !== null) this.#readMeta(source.agentId, source.tail.path);
    }
    if (restarted) this.#startOver();
    return { changed: this.#lines > before || restarted, more: more || restarted };
  }

  #open({ path, agentId }: Pick<TranscriptFile, "path" | "agentId">): Source {
    const tail = new FileTail(path, {
      onRestart: () => undefined,
      onLine: (line) => {
        this.#lines += 1;
        this.account.apply(readRow(line, { sessionId: this.id }), agentId);
      },
      onOversized: () => {
        this.#lines += 1;
        this.account.skip("oversized");
      },
    });
    return { tail, agentId, state: "reading" };
  }

  #readMeta(agentId: string, transcript: string): void {
    const subagent = this.account.subagents.get(agentId);
    if (subagent !== undefined && subagent.meta.finished !== true)
      subagent.meta = readSubagentMeta(transcript);
  }

  /** What the other files told cannot be taken apart from what the changed one told, so all are read again. */
  #startOver(): void {
    this.account = new SessionAccount(this.id);
    for (const [path, { agentId }] of [...this.#sources])
      this.#sources.set(path, this.#open({ path, agentId }));
  }
}
