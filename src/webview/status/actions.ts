import type { Model } from "./model.ts";
import type { PanelMessage } from "./protocol.ts";

/** What may be done on the page. */
export interface Actions {
  /** Says it to the host as it is. */
  readonly say: (message: PanelMessage) => void;
  readonly retry: () => void;
  /** @param project null for all */
  readonly narrow: (project: string | null) => void;
  readonly toggleTable: (agent: string) => void;
}

/** What a part of the page is made of. */
export interface Scene {
  readonly model: Model;
  readonly actions: Actions;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
