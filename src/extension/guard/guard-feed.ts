import type { Clock } from "../../engine/base/timing.ts";
import { type Disposable, DisposableList, type Observable } from "../../engine/base/events.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { LatestRequest } from "../editor/latest-request.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { estimatedNumber, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import type { GuardView } from "../../engine/guard/guard-answers.ts";
import { countNotJudged } from "../../engine/guard/unjudged-calls.ts";

/** Days that the row in the status bar's tooltip covers. */
const rowDays = 7;

/** A row of a tooltip's table: name, value, meaning. Null if guard has nothing to show. */
export type GuardRow = readonly [name: string, value: string, about: string] | null;

/** Sums up what guard rules did lately. */
export function guardRow(
  { modes, counts, net }: GuardView,
  { t, hasHooks }: { readonly t: Translate; readonly hasHooks: boolean },
): GuardRow {
  const all = [modes.all, ...Object.values(modes.families)];
  const sumOf = (isCounted: (each: GuardView["counts"][number]) => boolean) =>
    counts.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
  const calls = sumOf(() => true);
  if (calls === 0 && all.every((mode) => mode === "off")) return null;
  if (calls === 0 && !hasHooks) return [t("Guard"), t("sees no calls"), t("hooks are not installed")];
  const state = all.some((mode) => mode === "on" || mode === "required")
    ? t("on")
    : all.includes("observe")
      ? t("watching only")
      : t("off");
  const wouldAsk = sumOf(({ done, action }) => done === "observed" && action !== "advise");
  const asked = sumOf(({ done }) => done === "asked" || done === "denied");
  const unjudged = countNotJudged(counts).calls;
  const bytesOf = (isObserved: boolean) =>
    counts
      .filter(({ done }) => (done === "observed") === isObserved)
      .reduce((sum, { savedBytes }) => sum + savedBytes, 0);
  const [leftOut, would] = [bytesOf(false), bytesOf(true)];
  const about = [
    ...(wouldAsk > 0 ? [t("{0} would have been asked about", wholeNumber(wouldAsk))] : []),
    ...(asked > 0 ? [t("{0} asked about or denied", wholeNumber(asked))] : []),
    ...(unjudged > 0 ? [t("{0} not judged", wholeNumber(unjudged))] : []),
    ...(leftOut > 0 ? [t("{0} bytes of output left out", shortNumber(leftOut))] : []),
    ...(net.total.outputs > 0 ? [netWords(net.total, t)] : []),
    ...(would > 0 ? [t("{0} bytes of output could be smaller", shortNumber(would))] : []),
  ].join(", ");
  const value =
    calls === 1
      ? t("{0} · 1 call in {1} days", state, rowDays)
      : t("{0} · {1} calls in {2} days", state, wholeNumber(calls), rowDays);
  return [t("Guard"), value, about === "" ? t("measured") : about];
}

/** The same net as in the panel. */
function netWords({ net, interval }: GuardView["net"]["total"], t: Translate): string {
  const tokens = estimatedNumber(net);
  return interval !== null && interval.low > 0
    ? t("~{0} tokens saved net", tokens)
    : t("~{0} tokens net, not known yet whether it saves", tokens);
}

/** Minimum time between two requests: the row is only in a tooltip. Milliseconds. */
const restTime = 30_000;
const dayMs = 86_400_000;

interface GuardFeedPorts {
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
    this.#owned.add(service.onChanged("ledgerChanged", (changed) => requests.again(changed === undefined)));
    this.#owned.add(onSettingsChange(() => requests.now()));
    requests.now();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
