import * as z from "zod/mini";
import { guardReplay } from "./answers.ts";
import { notice, request } from "../protocol/protocol-request.ts";
import { guardFamilies } from "../settings/guard-families.ts";

/** Plays the user's sessions since a time, in milliseconds since the epoch, to today's guard rules; refused while another replay goes on. */
const guardPlay = request("guardPlay", {
  params: z.object({
    since: z.number().check(z.minimum(0), z.maximum(8.64e15)),
    family: z.nullable(z.enum(guardFamilies)),
  }),
  answer: z.object({ replay: guardReplay }),
});

/** Tells the client that asked for a replay how far it is. */
const guardPlayed = notice(
  "guardPlayed",
  z.object({ files: z.int().check(z.nonnegative()), of: z.int().check(z.nonnegative()) }),
);

export const guardReplayRequests = { guardPlay };
export const guardReplayNotices = { guardPlayed };
