import type { FileProblem } from "../../base/result.ts";
import { withOverrides, builtInCatalogue, type Catalogue } from "../../usage/catalogue.ts";
import type { ContextSettings } from "../../settings/shape.ts";
import type { Chain } from "./chain.ts";
import type { SessionAccount } from "./account.ts";
import type { SessionSource } from "./sessions-source.ts";

interface OwnCatalogue {
  readonly catalogue: Catalogue;
  /** The user's figures that are rejected, and why. */
  readonly problems: readonly FileProblem[];
}

/** Maximum cached catalogues; few folders have models of their own. */
const maxKept = 50;

/** Catalogues with the user's own figures applied. Cached, because building one takes a while. */
export class OwnCatalogues {
  readonly #made = new Map<ContextSettings["models"], OwnCatalogue>();

  get problems(): FileProblem[] {
    const all = [...this.#made.values()].flatMap(({ problems }) => problems);
    return [...new Map(all.map((problem) => [problem.path, problem])).values()];
  }

  /** Drops the cached catalogues, because the settings changed. */
  clear(): void {
    this.#made.clear();
  }

  /** @param settings whose `models` object stays identical while unchanged; it is the cache key */
  forSettings({ models }: Pick<ContextSettings, "models">): OwnCatalogue {
    const known = this.#made.get(models);
    if (known !== undefined) return known;
    const { catalogue, rejected } = withOverrides(builtInCatalogue, models);
    const problems = rejected.map(({ model, problem }) => ({
      path: `purser.models ${model}`.trim(),
      reason: problem,
    }));
    const made = { catalogue, problems };
    if (this.#made.size >= maxKept) this.#made.clear();
    this.#made.set(models, made);
    return made;
  }
}

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
