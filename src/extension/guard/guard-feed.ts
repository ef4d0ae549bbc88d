import type { Clock } from "../../engine/base/timing.ts";
import { type Disposable, DisposableList, type Observable } from "../../engine/base/events.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { guardRow, rowDays, type GuardRow } from "./guard-badge.ts";

/** Minimum time between two requests: the row is only in a tooltip. Milliseconds. */
const restTime = 30_000;
const dayMs = 86_400_000;

export interface GuardFeedPorts {
  readonly service: ServiceConnection;
  readonly clock: Clock;
  readonly t: Translate;
  readonly onSettingsChange: (listener: () => void) => Disposable;
  /** Whether any agent has purser's hooks. */
  readonly hasHooks: () => boolean;
}

/** Keeps the row about guard in the status bar's tooltip up to date. */
export class GuardFeed implements Disposable {
  readonly #owned = new DisposableList();

  constructor({ service, clock, t, onSettingsChange, hasHooks }: GuardFeedPorts, row: Observable<GuardRow>) {
    const requests = this.#owned.add(
      new LatestRequest(restTime, async (signal) => {
        const asked = await service.ask(
          "guardRead",
          { since: clock.now() - rowDays * dayMs, most: 0 },
          signal,
        );
        if (!signal.aborted)
          row.set(asked.ok ? guardRow(asked.value.view, { t, hasHooks: hasHooks() }) : null);
      }),
    );
    this.#owned.add(
      service.onChanged("ledgerChanged", (changed) => {
        if (changed === undefined) requests.now();
        else requests.soon();
      }),
    );
    this.#owned.add(onSettingsChange(() => requests.now()));
    requests.now();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
