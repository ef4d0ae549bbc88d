import type { BenchAsk } from "../../engine/service/bench-view.ts";
import type { Model } from "./model.ts";
import type { ChangeAsked, Place } from "./protocol.ts";

/** What a person can do. */
export interface Actions {
  look(place: Place): void;
  back(): void;
  choose(ask: BenchAsk): void;
  start(ask: BenchAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  retry(): void;
  showLog(): void;
  manageTrust(): void;
  openChange(asked: Omit<ChangeAsked, "type">): void;
  toggleTable(chart: string): void;
}

/** What every part of a page is made of. */
export interface Scene {
  readonly model: Model;
  readonly actions: Actions;
  /** The charts that are shown as tables. */
  readonly tables: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
