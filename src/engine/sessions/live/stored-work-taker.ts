import type { SessionReader } from "./reader.ts";
import type { FindStoredWork } from "./stored-work.ts";

/**
 * Adds usage from before a session's files were rewritten without being followed: the agent then leaves out older rows,
 * and only the ledger still has them. Each session is queried once, when its files are read.
 */
export class StoredWorkTaker {
  readonly #find: FindStoredWork;
  readonly #onProblem: (message: string) => void;
  readonly #taken = new WeakSet<SessionReader>();
  #isTaking = false;

  constructor(find: FindStoredWork, onProblem: (message: string) => void) {
    this.#find = find;
    this.#onProblem = onProblem;
  }

  /**
   * Queries the ledger for the sessions not queried yet, one after the other, until a query gets no answer.
   *
   * @param onTaken called with each session that received data
   */
  async take(readers: readonly SessionReader[], onTaken: (reader: SessionReader) => void): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      for (const reader of readers) if (!(await this.#takeOf(reader, onTaken))) break;
    } catch (error) {
      this.#onProblem(`What the ledger has of earlier work is not known: ${String(error)}`);
    } finally {
      this.#isTaking = false;
    }
  }

  /** Returns whether further sessions can be queried. */
  async #takeOf(reader: SessionReader, onTaken: (reader: SessionReader) => void): Promise<boolean> {
    const { id, agent, account } = reader;
    const { storedId } = agent.reader;
    if (storedId === undefined || !reader.isRead || !account.isBegun || this.#taken.has(reader)) return true;
    const messages = [...account.all.messageIds()].map((message) => storedId(message, id));
    const until = account.lastActivity ?? Infinity;
    const stored = await this.#find({ agent: agent.name, sessionId: id, messages, until });
    if (stored === null) return false;
    if (!reader.takeStored(stored, account)) return true;
    this.#taken.add(reader);
    if (stored.responses.length > 0) onTaken(reader);
    return true;
  }
}
