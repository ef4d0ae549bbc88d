import * as z from "zod/mini";
import { request } from "../protocol/serve.ts";
import { benchRunSchema } from "./run-facts.ts";

/** Records runs, and their effect on baselines. Answered once durable; recording a run twice changes nothing. */
const goldenRecord = request("goldenRecord", {
  params: z.object({ runs: z.array(benchRunSchema).check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({}),
});

/** Requests by which clients that run golden tasks report to the ledger. */
export const goldenRequests = { goldenRecord };
