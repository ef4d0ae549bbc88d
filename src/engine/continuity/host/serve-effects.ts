import { succeed } from "../../base/result.ts";
import { guardEffectRequests } from "../../guard/guard-requests.ts";
import { mistakeEntry } from "../../guard/delivery.ts";
import { type LedgerHost, ledgerPart } from "../../ledger/ledger-host.ts";
import { sentTexts } from "../../ledger/learned.ts";
import { serve, type ServeClient } from "../../protocol/serve.ts";
import { effectsForgotten } from "../learn/effectiveness.ts";

/**
 * People's opinions on advice, for clients.
 * @param part undefined for a service without a ledger
 */
export function serveEffects(part: LedgerHost | undefined): ServeClient {
  return serve({
    ...ledgerPart(part),
    requests: guardEffectRequests,
    handlers: () => ({
      guardWake: async (ledger, { rule, at }) => {
        const appended = await ledger.append([
          { kind: "guard-wake", id: `${rule}@${at}`, rule, at },
          // Counts that learning made for it are no longer valid, and are not made again.
          ...(sentTexts.some((kind) => kind === rule) ? effectsForgotten(rule) : []),
        ]);
        return appended.ok ? succeed({}) : appended;
      },
      guardMistake: async (ledger, { hit, at, ...part }) => {
        const appended = await ledger.append([mistakeEntry(part, { hit, at })]);
        return appended.ok ? succeed({}) : appended;
      },
    }),
  });
}
