import { english } from "../../base/text/english.ts";
import { fail } from "../../base/result.ts";
import { LatestSender } from "../../protocol/latest-sender.ts";
import { feature, type Client, type Feature, type Handlers } from "./feature.ts";
import type { GuardHost } from "../../guard/host/host.ts";
import type { HistoryPlayer } from "../../guard/host/history-player.ts";
import type { guardRequests } from "../../guard/guard-requests.ts";
import type { guardReplayRequests } from "../../guard/replay-requests.ts";
import type { NoticeParams } from "../../jobs/all-requests.ts";

const missing = fail("no_guard", english("this service holds no ledger"));

const handlers: Handlers<GuardHost, keyof typeof guardRequests> = {
  guardRead: (guard, asked) => guard.view(asked),
  guardRules: (guard) => guard.rules(),
  guardExcept: (guard, wish) => guard.except(wish),
  guardUndo: (guard, { id }) => guard.undo(id),
};

/**
 * Guard rules for clients.
 * @param part undefined where a service has no ledger
 */
export function guardFeature(part: GuardHost | undefined): Feature {
  return feature({ part, missing, handlers: () => handlers });
}

/**
 * Replays of the user's history for clients.
 * @param part undefined where a service plays none
 */
export function replayFeature(part: HistoryPlayer | undefined): Feature {
  return feature({ part, missing: noReplay, handlers: replayHandlers });
}

const noReplay = fail("no_replay", english("this service plays no history"));

function replayHandlers(client: Client): Handlers<HistoryPlayer, keyof typeof guardReplayRequests> {
  const left = new AbortController();
  client.owned.add({ dispose: () => left.abort() });
  return {
    async guardPlay(player, asked, signal) {
      const sender = new LatestSender((far: NoticeParams<"guardPlayed">) =>
        client.notify("guardPlayed", far),
      );
      const played = await player.play(asked, {
        signal: AbortSignal.any([signal, left.signal]),
        onProgress: (files, of) => sender.offer({ files, of }),
      });
      sender.clear();
      return played;
    },
  };
}
