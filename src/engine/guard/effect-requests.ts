import * as z from "zod/mini";
import { request } from "../protocol/serve.ts";

/** Requests about guard hits. */

const text = z.string().check(z.minLength(1), z.maxLength(4096));
const time = z.number();
const nothing = z.object({});

/** Calls a rule back that has fallen silent: earlier outcomes no longer count. Answered once durable. */
const guardWake = request("guardWake", { params: z.object({ rule: text, at: time }), answer: nothing });

/** Records that the user marked a hit in the ledger as wrong. It answers when the record is durable. A repeat changes nothing. */
const guardMistake = request("guardMistake", {
  params: z.object({
    hit: text,
    sessionId: text,
    rule: text,
    family: text,
    done: z.enum(["advised", "asked", "denied"]),
    at: time,
  }),
  answer: nothing,
});

export const guardEffectRequests = { guardWake, guardMistake };
