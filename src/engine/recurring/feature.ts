import { wakeEntryOf } from "../ledger/woken.ts";
import type { CreateFeature } from "../hooks/feature.ts";
import { succeed } from "../base/result.ts";
import { type LedgerHost, ledgerPart } from "../ledger/ledger-host.ts";
import { serve, type ServeClient } from "../protocol/serve.ts";
import { learnRotation } from "./figures/learned-rotation.ts";
import { economyViewOf } from "./figures/figures-view.ts";
import { economyRequests } from "./wake-requests.ts";

/** Only the newest show what programs cost now. */
const maxLearnedFrom = 2000;

export function serveWakes(part: LedgerHost | undefined): ServeClient {
  return serve({
    ...ledgerPart(part),
    requests: economyRequests,
    handlers: () => ({
      wakeRecord: async (ledger, { wakes }) => {
        const appended = await ledger.append(wakes.map(wakeEntryOf));
        return appended.ok ? succeed({}) : appended;
      },
      wakeRotation: (ledger, { program }) =>
        ledger.read(async (open) => {
          const wakes = await open.ask("wakes", { since: 0, project: null, most: maxLearnedFrom });
          return { learned: learnRotation(wakes, program) };
        }),
      economyView: (ledger, { since, project }) =>
        ledger.read(async (open) => ({
          view: await economyViewOf((name, query) => open.ask(name, query), { since, project }),
        })),
    }),
  });
}

export const wakesFeature: CreateFeature = (core) => ({
  name: "wakes",
  serve: [serveWakes(core?.ledger)],
});
