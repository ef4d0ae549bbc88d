import path from "node:path";
import type { ServiceLog } from "../../base/log.ts";
import { isRootOfEditor, type SessionRoot } from "../../transcripts/agents.ts";

export interface WindowRootsPorts {
  /** The service's own folders with sessions. */
  readonly places: readonly string[];
  readonly log: ServiceLog;
}

/** More are a mistake, and each is searched again and again. */
const most = 16;

/** The folders with sessions that only windows know: of a VS Code with a `--user-data-dir`, or a portable one. */
export class WindowRoots {
  readonly #log: ServiceLog;
  readonly #known: Set<string>;
  #taken = 0;
  #isFull = false;

  constructor({ places, log }: WindowRootsPorts) {
    this.#log = log;
    this.#known = new Set(places.map((place) => path.resolve(place)));
  }

  /** Returns the editors' folders among them that are new. */
  take(told: readonly SessionRoot[]): SessionRoot[] {
    const absolute = told.filter((root) => isRootOfEditor(root) && path.isAbsolute(root.path));
    return absolute.flatMap(({ agent, path: name }) => {
      const root = path.resolve(name);
      if (this.#known.has(root)) return [];
      if (this.#taken >= most) {
        this.#noteFull(root);
        return [];
      }
      this.#taken += 1;
      this.#known.add(root);
      return [{ agent, path: root }];
    });
  }

  #noteFull(root: string): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#log.write(
      "warn",
      `Windows told ${most} folders with sessions; ${root} and others are not collected`,
    );
  }
}
