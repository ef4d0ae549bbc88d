import type { Chain } from "./chain.ts";
import type { SessionAccount } from "./account.ts";
import type { SessionSource } from "./source.ts";

/** Live sessions as their transcripts tell them at this moment, without a ledger between. */
export interface LiveAccounts {
  /** What was appended to its files is read first. Undefined for one that is not live, or has more to read than is read at once. */
  of(sessionId: string): SessionAccount | undefined;
  /** The main chains of sessions that began in this folder, of all where none did. */
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

/** Of other agents no live sessions are kept. */
export const noLiveAccounts: LiveAccounts = { of: () => undefined, chainsIn: () => [] };
