import * as z from "zod/mini";
import { economyView, learnedRotation } from "./answers.ts";
import { wakeRow } from "../ledger/woken.ts";
import { request } from "../protocol/serve.ts";

/** Records wakes of recurring agents. Answered once durable; recording a wake twice changes nothing. */
const wakeRecord = request("wakeRecord", {
  params: z.object({ wakes: z.array(wakeRow).check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({}),
});

/** Costs of recurring agents and of ordinary sessions since a time. */
const economyViewRequest = request("economyView", {
  params: z.object({ since: z.number(), project: z.nullable(z.string().check(z.maxLength(4096))) }),
  answer: z.object({ view: economyView }),
});

/** The length from which a program's new session is cheaper, by its past wakes. Null if too few are known. */
const wakeRotation = request("wakeRotation", {
  params: z.object({ program: z.string().check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({ learned: z.nullable(learnedRotation) }),
});

export const economyRequests = { wakeRecord, wakeRotation, economyView: economyViewRequest };
