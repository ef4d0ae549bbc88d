import * as z from "zod/mini";
import { request } from "../protocol/protocol-request.ts";

const id = z.string().check(z.minLength(1), z.maxLength(1000));

/** Requests about what compactions lost. */

/** Schedules items that a compaction lost for the session's next prompt, once. */
const putBack = request("putBack", {
  params: z.object({ session: id, diff: id, items: z.array(id).check(z.minLength(1), z.maxLength(200)) }),
  /** Things that were not put back already. */
  answer: z.object({ count: z.int() }),
});

export const compactionRequests = { putBack };
