import { plainSentence } from "../../base/language.ts";
import type { FileProblem } from "../../base/result.ts";
import type { TailState } from "../../transcripts/file-tail.ts";
import type { SessionFile } from "../../transcripts/live-reader.ts";
import { SessionAccount } from "./account.ts";
import { openSource, type FileSource } from "./file-source.ts";
import type { LiveAgent } from "./live-agents.ts";
import type { StoredWork } from "./stored-work.ts";

interface Source {
  readonly source: FileSource;
  /** True when the account contains something from this file. */
  isInAccount: boolean;
}

export interface ReadResult {
  readonly changed: boolean;
  /** There is more to read: call again. */
  readonly more: boolean;
}

/**
 * Keeps the account of one session up to date from its files. When one of them starts over, so does the account, except
 * for earlier usage.
 */
export class SessionReader {
  readonly id: string;
  readonly agent: LiveAgent;
  /** State read so far; after a file started over, the previous state until all files are read again. */
  account: SessionAccount;
  #building: SessionAccount;
  readonly #sources = new Map<string, Source>();
  /** Derived from its transcripts since a file was last added. */
  #transcript: string | undefined;
  #subagentTranscripts: ReadonlyMap<string, string> | undefined;
  #lines = 0;
  isRead = false;
  /** True when a file started over in this pass: its lines will be read again, so they are dropped now. */
  #restarting = false;

  constructor(id: string, agent: LiveAgent) {
    this.id = id;
    this.agent = agent;
    this.account = this.#newAccount();
    this.#building = this.account;
  }

  /** The session's main file, or its first known file. */
  get transcript(): string {
    this.#transcript ??= this.#mainTranscript();
    return this.#transcript;
  }

  /** Each subagent's transcript path, by the subagent's id. */
  get subagentTranscripts(): ReadonlyMap<string, string> {
    this.#subagentTranscripts ??= new Map(
      this.#transcripts().flatMap(({ agentId, path }) => (agentId === null ? [] : [[agentId, path]])),
    );
    return this.#subagentTranscripts;
  }

  get problems(): FileProblem[] {
    return [...this.#sources.values()].flatMap(({ source: { file, state } }) =>
      state === "denied" || state === "refused" ? [{ path: file.path, reason: plainSentence(state) }] : [],
    );
  }

  get exists(): boolean {
    for (const { source } of this.#sources.values())
      if (source.state !== "gone" && !isAside(source.file)) return true;
    return false;
  }

  has(path: string): boolean {
    return this.#sources.has(path);
  }

  addFile(file: SessionFile): void {
    if (this.#sources.has(file.path)) return;
    this.#sources.set(file.path, this.#open(file));
    this.#transcript = undefined;
    this.#subagentTranscripts = undefined;
  }

  read(): ReadResult {
    const before = this.#lines;
    const shown = this.account;
    let more = false;
    this.#restarting = false;
    for (const { source, isInAccount } of this.#sources.values()) {
      if (source.poll()) more = true;
      this.#restarting ||= isInAccount && source.state === "gone" && !isAside(source.file);
    }
    if (this.#restarting) this.#startOver();
    else if (!more) this.account = this.#building;
    this.isRead = !more && !this.#restarting;
    const changed = this.#lines > before || this.account !== shown;
    return { changed, more: more || this.#restarting };
  }

  /**
   * Adds the ledger's data on the session that its files no longer contain. Returns false if the files were rewritten
   * since, so that the ledger must be queried again.
   *
   * @param account the state at the time of the query
   */
  takeStored(stored: StoredWork, account: SessionAccount): boolean {
    if (this.account !== account || !this.isRead) return false;
    if (stored.responses.length > 0) account.addStored(stored);
    return true;
  }

  #newAccount(): SessionAccount {
    return new SessionAccount(this.id, this.agent.reader.cacheLife);
  }

  #mainTranscript(): string {
    const files = this.#transcripts();
    return (files.find(({ agentId }) => agentId === null) ?? files[0])?.path ?? "";
  }

  #transcripts(): SessionFile[] {
    return [...this.#sources.values()].flatMap(({ source: { file } }) => (isAside(file) ? [] : [file]));
  }

  #open(file: SessionFile, state: TailState = "reading"): Source {
    const change = (act: (account: SessionAccount) => void) => {
      if (this.#restarting) return;
      this.#lines += 1;
      opened.isInAccount = true;
      act(this.#building);
    };
    const opened: Source = {
      source: openSource(
        file,
        {
          onRestart: () => (this.#restarting = true),
          onReading: (reading) => change((account) => account.apply(reading, file.agentId)),
          onOversized: () => change((account) => account.skip("oversized")),
        },
        state,
      ),
      isInAccount: false,
    };
    return opened;
  }

  /** Reads all files again: one file's contribution to the account cannot be separated from the others'. */
  #startOver(): void {
    const earlier = this.#building;
    this.#building = this.#newAccount();
    this.#building.goOnFrom(earlier);
    for (const [path, { source }] of [...this.#sources])
      this.#sources.set(path, this.#open(source.file, source.state));
  }
}

/** Whether a file only has facts beside the session's rows. */
export function isAside(file: SessionFile): boolean {
  return file.kind === "whole" && file.isAside;
}
