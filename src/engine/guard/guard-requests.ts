import * as z from "zod/mini";
import { request, notice } from "../protocol/serve.ts";
import { guardFamilies } from "../settings/guard.ts";
import {
  addedException,
  guardExceptionScopes,
  guardRuleBook,
  guardView,
  guardReplay,
} from "./guard-answers.ts";

/** The actions of rules since a time in milliseconds since the epoch, a limited number of single hits, and the current modes. */
const guardRead = request("guardRead", {
  params: z.object({ since: z.number(), most: z.int().check(z.minimum(0), z.maximum(500)) }),
  answer: z.object({ view: guardView }),
});

/** All rules, with their settings in the user's file. */
const guardRules = request("guardRules", {
  params: z.object({}),
  answer: z.object({ book: guardRuleBook }),
});

/** Writes an exception into the user's file, so that a rule no longer fires on calls like a hit. */
const guardExcept = request("guardExcept", {
  params: z.object({
    hit: z.object({
      rule: z.string().check(z.minLength(1), z.maxLength(100)),
      excerpt: z.nullable(z.string().check(z.maxLength(1000))),
      folder: z.nullable(z.string().check(z.maxLength(4096))),
    }),
    scope: z.enum(guardExceptionScopes),
    /** Days on which it holds, today included; null for all. */
    days: z.nullable(z.int().check(z.minimum(1), z.maximum(3650))),
  }),
  answer: addedException,
});

/** Takes an exception back; refused if the file was changed since. */
const guardUndo = request("guardUndo", {
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  answer: z.object({}),
});

export const guardRequests = { guardRead, guardRules, guardExcept, guardUndo };

/** Plays the user's sessions since a time, in milliseconds since the epoch, to today's guard rules; refused while another replay is running. */
const guardPlay = request("guardPlay", {
  params: z.object({
    since: z.number().check(z.minimum(0), z.maximum(8.64e15)),
    family: z.nullable(z.enum(guardFamilies)),
  }),
  answer: z.object({ replay: guardReplay }),
});

/** Reports the progress of a replay to its client. */
const guardPlayed = notice(
  "guardPlayed",
  z.object({ files: z.int().check(z.nonnegative()), of: z.int().check(z.nonnegative()) }),
);

export const guardReplayRequests = { guardPlay };
export const guardReplayNotices = { guardPlayed };

const text = z.string().check(z.minLength(1), z.maxLength(4096));
const time = z.number();
const nothing = z.object({});

/** Wakes a silent rule: earlier outcomes no longer count. Answered once durable. */
const guardWake = request("guardWake", { params: z.object({ rule: text, at: time }), answer: nothing });

/** Takes back that a rule was woken: earlier outcomes count again. Answered once durable. */
const guardUnwake = request("guardUnwake", { params: z.object({ rule: text, at: time }), answer: nothing });

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

export const guardEffectRequests = { guardWake, guardUnwake, guardMistake };
