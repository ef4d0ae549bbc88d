import * as z from "zod/mini";
import { economyView, learnedRotation } from "./recurring-answers.ts";
import { wakeRow } from "../ledger/woken.ts";
import { request } from "../protocol/serve.ts";

const wakeRecord = request("wakeRecord", {
  params: z.object({ wakes: z.array(wakeRow).check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({}),
});

const economyViewRequest = request("economyView", {
  params: z.object({ since: z.number(), project: z.nullable(z.string().check(z.maxLength(4096))) }),
  answer: z.object({ view: economyView }),
});

/** Null if too few wakes are known. */
const wakeRotation = request("wakeRotation", {
  params: z.object({ program: z.string().check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({ learned: z.nullable(learnedRotation) }),
});

export const economyRequests = { wakeRecord, wakeRotation, economyView: economyViewRequest };
