import type { Chain } from "./chain.ts";
import type { SessionAccount } from "./account.ts";
import type { SessionSource } from "./sessions-source.ts";

/** Live sessions read directly from their transcripts, without the ledger in between. */
export interface LiveAccounts {
  /**
   * Reads the additions to its files first. Undefined for a session that is not live, or has more to read than one pass
   * reads.
   */
  of(sessionId: string): SessionAccount | undefined;
  /** Returns the main chains of sessions that began in this folder; of all sessions if none did. */
  chainsIn(folder: string): Chain[];
}

export function liveAccounts({ feed }: Pick<SessionSource, "feed">): LiveAccounts {
  return {
    of(sessionId) {
      const reader = feed.find(sessionId);
      return reader !== undefined && feed.readNow(reader) ? reader.account : undefined;
    },
    chainsIn(folder) {
      const accounts = [...feed.readers.values()].map(({ account }) => account);
      const here = accounts.filter(({ cwd }) => cwd === folder);
      return (here.length > 0 ? here : accounts).map(({ main }) => main);
    },
  };
}

/** Other agents have no live sessions. */
export const noLiveAccounts: LiveAccounts = { of: () => undefined, chainsIn: () => [] };
