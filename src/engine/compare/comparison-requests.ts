import * as z from "zod/mini";
import { request } from "../protocol/serve.ts";

/** The sealed receipt as JSON. Answered once durable; recording it twice changes nothing. */
const comparisonRecord = request("comparisonRecord", {
  params: z.object({ receipt: z.string().check(z.maxLength(1_000_000)) }),
  answer: z.object({}),
});

export const comparisonRequests = { comparisonRecord };
