import * as z from "zod";
import { addedException, guardExceptionScopes, guardRuleBook, guardView } from "./answers.ts";
import { request } from "../protocol/protocol-request.ts";

/** Requests about guard rules. */

/** What rules did since a time, in milliseconds since the epoch, with at most so many hits one by one, and the modes that hold now. */
const guardRead = request("guardRead", {
  params: z.object({ since: z.number(), most: z.int().min(0).max(500) }),
  answer: z.object({ view: guardView }),
});

/** All rules with what the user's file says of them, read just now. */
const guardRules = request("guardRules", {
  params: z.object({}),
  answer: z.object({ book: guardRuleBook }),
});

/** Writes an exception into the user's file, so that a rule no longer fires on calls like a hit. */
const guardExcept = request("guardExcept", {
  params: z.object({
    hit: z.object({
      rule: z.string().min(1).max(100),
      excerpt: z.string().max(1000).nullable(),
      folder: z.string().max(4096).nullable(),
    }),
    scope: z.enum(guardExceptionScopes),
    /** Days on which it holds, today included; null for all. */
    days: z.int().min(1).max(3650).nullable(),
  }),
  answer: addedException,
});

/** Takes an exception back; refused where the file was changed since. */
const guardUndo = request("guardUndo", {
  params: z.object({ id: z.string().min(1).max(100) }),
  answer: z.object({}),
});

export const guardRequests = { guardRead, guardRules, guardExcept, guardUndo };
