import { sentence } from "../../base/language.ts";
import { fail } from "../../base/result.ts";
import { serve, type Handlers, type ServeClient, type Client, LatestSender } from "../../protocol/serve.ts";
import { guardRequests, guardReplayNotices, guardReplayRequests } from "../guard-requests.ts";
import type { GuardHost } from "./guard-host.ts";
import type { HistoryPlayer } from "./history-player.ts";

const missing = fail("no_guard", sentence("this service holds no ledger"));

const handlers: Handlers<GuardHost, typeof guardRequests> = {
  guardRead: (guard, asked) => guard.view(asked),
  guardRules: (guard) => guard.rules(),
  guardExcept: (guard, wish) => guard.except(wish),
  guardUndo: (guard, { id }) => guard.undo(id),
};

/** @param part undefined if the service has no ledger */
export function serveGuard(part: GuardHost | undefined): ServeClient {
  return serve({
    requests: guardRequests,
    part,
    missing,
    handlers: () => handlers,
  });
}

const noReplay = fail("no_replay", sentence("this service plays no history"));

/** @param part undefined if the service plays no history */
export function serveReplay(part: HistoryPlayer | undefined): ServeClient {
  return serve({
    requests: guardReplayRequests,
    part,
    missing: noReplay,
    handlers: replayHandlers,
  });
}

function replayHandlers(client: Client): Handlers<HistoryPlayer, typeof guardReplayRequests> {
  const left = new AbortController();
  client.owned.add({ dispose: () => left.abort() });
  return {
    async guardPlay(player, asked, signal) {
      const sender = new LatestSender((far: { readonly files: number; readonly of: number }) =>
        client.notify(guardReplayNotices.guardPlayed, far),
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
