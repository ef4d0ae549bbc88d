import type { BenchAsk } from "../../engine/jobs/answers/bench.ts";
import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Model } from "./bench-model.ts";
import type { ChangeAsked, Place } from "./protocol.ts";

/** Actions of the Bench panel. */
export interface Actions extends PageActions {
  look(place: Place): void;
  choose(ask: BenchAsk): void;
  start(ask: BenchAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string): void;
  manageTrust(): void;
  openChange(asked: Omit<ChangeAsked, "type">): void;
}

export type RenderContext = PageContext<Model, Actions>;
