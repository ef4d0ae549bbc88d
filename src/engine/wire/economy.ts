import * as z from "zod";
import { wakeRow } from "../ledger/entries/woken.ts";
import { request } from "../rpc/request.ts";

/** Records wakes of recurring agents. Answered once durable; recording a wake twice changes nothing. */
const wakeRecord = request("wakeRecord", {
  params: z.object({ wakes: z.array(wakeRow).min(1).max(100) }),
  answer: z.object({}),
});

export const economyRequests = { wakeRecord };
