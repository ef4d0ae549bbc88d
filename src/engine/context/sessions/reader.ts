import type { TranscriptFile } from "../../transcripts/claude/files.ts";
import { readRow } from "../../transcripts/claude/read-row.ts";
import { readSubagentMeta } from "../../transcripts/claude/subagent-meta.ts";
import { FileTail, type TailState } from "../../transcripts/file-tail.ts";
import { SessionAccount } from "./account.ts";

/** Bytes read from one file per pass, so that a file of several GB does not hold up the others. */
const budget = 8 * 1024 * 1024;

interface Source {
  readonly tail: FileTail;
  readonly agentId: string | null;
  state: TailState;
  /** True when the account contains something from this file. */
  isInAccount: boolean;
}

export interface ReadResult {
  readonly changed: boolean;
  /** There is more to read: call again. */
  readonly more: boolean;
}

/** Keeps the account of one session up to date from its files. When one of them starts over, so does the account. */
export class SessionReader {
  readonly id: string;
  /** State read so far; after a file started over, the previous state until all files are read again. */
  account: SessionAccount;
  #building: SessionAccount;
  readonly #sources = new Map<string, Source>();
  #lines = 0;
  /** True when a file started over in this pass: its lines will be read again, so they are dropped now. */
  #restarting = false;

  constructor(id: string) {
    this.id = id;
    this.account = new SessionAccount(id);
    this.#building = this.account;
  }

  /** The session's main file, or its first known file. */
  get transcript(): string {
    const sources = [...this.#sources.values()];
    return (sources.find(({ agentId }) => agentId === null) ?? sources[0])?.tail.path ?? "";
  }

  /** Each subagent's transcript path, by the subagent's id. */
  get subagentTranscripts(): ReadonlyMap<string, string> {
    const sources = [...this.#sources.values()];
    return new Map(sources.flatMap(({ agentId, tail }) => (agentId === null ? [] : [[agentId, tail.path]])));
  }

  /** Files that cannot currently be read, and why. */
  get problems(): { path: string; reason: TailState }[] {
    return [...this.#sources.values()].flatMap(({ tail, state }) =>
      state === "denied" || state === "refused" ? [{ path: tail.path, reason: state }] : [],
    );
  }

  /** True while at least one of its files exists. */
  get exists(): boolean {
    return [...this.#sources.values()].some(({ state }) => state !== "gone");
  }

  has(path: string): boolean {
    return this.#sources.has(path);
  }

  addFile(file: Pick<TranscriptFile, "path" | "agentId">): void {
    if (!this.#sources.has(file.path)) this.#sources.set(file.path, this.#open(file));
  }

  /** Reads what was appended to all of its files. */
  read(): ReadResult {
    const before = this.#lines;
    const shown = this.account;
    let more = false;
    let noted = false;
    this.#restarting = false;
    for (const source of this.#sources.values()) {
      const poll = source.tail.poll(budget);
      source.state = poll.state;
      more ||= poll.more;
      this.#restarting ||= poll.state === "gone" && source.isInAccount;
      if (source.agentId !== null && this.#readMeta(source.agentId, source.tail.path)) noted = true;
    }
    if (this.#restarting) this.#startOver();
    else if (!more) this.account = this.#building;
    const changed = this.#lines > before || noted || this.account !== shown;
    return { changed, more: more || this.#restarting };
  }

  #open({ path, agentId }: Pick<TranscriptFile, "path" | "agentId">, state: TailState = "reading"): Source {
    const change = (act: (account: SessionAccount) => void) => {
      if (this.#restarting) return;
      this.#lines += 1;
      source.isInAccount = true;
      act(this.#building);
    };
    const tail = new FileTail(path, {
      onRestart: () => (this.#restarting = true),
      onLine: (line) => change((account) => account.apply(readRow(line, { sessionId: this.id }), agentId)),
      onOversized: () => change((account) => account.skip("oversized")),
    });
    const source = { tail, agentId, state, isInAccount: false };
    return source;
  }

  /** Reads the small file beside a subagent's transcript; returns whether it changed. */
  #readMeta(agentId: string, transcript: string): boolean {
    const subagent = this.#building.subagents.get(agentId);
    if (subagent === undefined || subagent.meta.finished === true) return false;
    const { type, description, finished } = subagent.meta;
    subagent.meta = readSubagentMeta(transcript);
    const { meta } = subagent;
    return meta.type !== type || meta.description !== description || meta.finished !== finished;
  }

  /** Reads all files again: one file's contribution to the account cannot be separated from the others'. */
  #startOver(): void {
    this.#building = new SessionAccount(this.id);
    for (const [path, { agentId, state }] of [...this.#sources])
      this.#sources.set(path, this.#open({ path, agentId }, state));
  }
}
