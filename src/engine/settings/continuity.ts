import * as z from "zod";
import { guardModes } from "./guard-families.ts";

/** Whether a new session is told nothing of the last one, that its packet can be had, or the packet itself. */
const startModes = ["off", "offer", "always"] as const;

/** User settings for what is carried over compactions, and from one session to the next. */
export const continuityShape = {
  /** What happens at compactions: nothing, only the comparison is recorded, or the agent is told too. */
  continuityCompaction: z
    .enum(guardModes)
    .describe(
      "At a compaction: nothing (off), what it kept and lost is recorded (observe), or the agent is also told what to keep, and what was lost (on).",
    ),
  continuityStart: z
    .enum(startModes)
    .describe(
      "What a new session on the same project and branch is told of the last one: nothing (off), one line on how to get its resume packet (offer), or the packet (always).",
    ),
  continuityPackets: z
    .boolean()
    .describe(
      "Whether a session's resume packet is stored in the ledger: before compactions, every 20 prompts and at its end, for 90 days.",
    ),
  /** Longest resume packet. Tokens, estimated. */
  continuityPacketTokens: z
    .int()
    .min(100)
    .max(10_000)
    .describe("Tokens that a resume packet has at most, as estimated by its length."),
  /** Model of the one question that a person may ask for about a document that hands work over; empty for none. */
  continuityImproveWith: z
    .string()
    .max(100)
    .describe(
      "Model of your own Claude Code, such as claude-haiku-4-5, that may summarize a handover in one call, begun by you, whose highest price is shown first; empty for none.",
    ),
};

export type ContinuitySettings = Readonly<z.infer<z.ZodObject<typeof continuityShape>>>;
export type CompactionMode = ContinuitySettings["continuityCompaction"];
export type StartMode = ContinuitySettings["continuityStart"];

export const defaultContinuitySettings: ContinuitySettings = {
  continuityCompaction: "on",
  continuityStart: "offer",
  continuityPackets: true,
  continuityPacketTokens: 1500,
  continuityImproveWith: "",
};
