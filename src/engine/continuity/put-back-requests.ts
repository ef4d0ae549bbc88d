import * as z from "zod";
import { request } from "../protocol/protocol-request.ts";

const id = z.string().min(1).max(1000);

/** Requests about what compactions lost. */

/** Schedules items that a compaction lost for the session's next prompt, once. */
const putBack = request("putBack", {
  params: z.object({ session: id, diff: id, items: z.array(id).min(1).max(200) }),
  /** Things that were not put back already. */
  answer: z.object({ count: z.int() }),
});

export const compactionRequests = { putBack };
