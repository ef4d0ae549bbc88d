import * as z from "zod";
import { economyView } from "../economy/answers.ts";
import { wakeRow } from "../ledger/entries/woken.ts";
import { request } from "../rpc/request.ts";

/** Records wakes of recurring agents. Answered once durable; recording a wake twice changes nothing. */
const wakeRecord = request("wakeRecord", {
  params: z.object({ wakes: z.array(wakeRow).min(1).max(100) }),
  answer: z.object({}),
});

/** What recurring agents and sessions of ordinary work cost since a time. */
const economyViewRequest = request("economyView", {
  params: z.object({ since: z.number(), project: z.string().max(4096).nullable() }),
  answer: z.object({ view: economyView }),
});

export const economyRequests = { wakeRecord, economyView: economyViewRequest };
