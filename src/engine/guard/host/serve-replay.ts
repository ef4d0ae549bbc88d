import { sentence } from "../../base/language.ts";
import { fail } from "../../base/result.ts";
import { type ServeClient, type Handlers, type Client, serve, LatestSender } from "../../protocol/serve.ts";
import { guardReplayNotices, guardReplayRequests } from "../guard-requests.ts";
import type { HistoryPlayer } from "./history-player.ts";

const noReplay = fail("no_replay", sentence("this service plays no history"));

/**
 * Replays of the user's history for clients.
 * @param part undefined where a service plays none
 */
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
