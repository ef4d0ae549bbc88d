import * as z from "zod/mini";
import { guardModes } from "./guard-families.ts";

/** Whether a new session gets nothing from the last one, an offer of its packet, or the packet itself. */
const startModes = ["off", "offer", "always"] as const;

/** User settings for what is carried over compactions, and from one session to the next. */
export const continuityShape = {
  /** What happens at compactions: nothing, only a recorded comparison, or also a text for the agent. */
  continuityCompaction: z
    .enum(guardModes)
    .check(
      z.describe(
        "At a compaction: do nothing (off), record what it kept and lost (observe), or also tell the agent what to keep and what was lost (on).",
      ),
    ),
  continuityStart: z
    .enum(startModes)
    .check(
      z.describe(
        "Give a new session on the same project and branch nothing (off), one line on how to get the last session's resume packet (offer), or the packet (always).",
      ),
    ),
  continuityPackets: z
    .boolean()
    .check(
      z.describe(
        "Store a session's resume packet in the ledger for 90 days: before compactions, every 20 prompts and at its end.",
      ),
    ),
  /** Maximum length of a resume packet. Estimated tokens. */
  continuityPacketTokens: z
    .int()
    .check(
      z.minimum(100),
      z.maximum(10_000),
      z.describe("Maximum size of a resume packet. Tokens, estimated from its length."),
    ),
  /** Model for the one question that a person may ask about a handover document. Empty for none. */
  continuityImproveWith: z
    .string()
    .check(
      z.maxLength(100),
      z.describe(
        "Model that may summarize a handover in one call, such as claude-haiku-4-5. You start each call, and its highest price is shown first. Empty for none.",
      ),
    ),
};

export type ContinuitySettings = Readonly<z.infer<z.ZodMiniObject<typeof continuityShape>>>;
export type CompactionMode = ContinuitySettings["continuityCompaction"];
export type StartMode = ContinuitySettings["continuityStart"];

export const defaultContinuitySettings: ContinuitySettings = {
  continuityCompaction: "on",
  continuityStart: "offer",
  continuityPackets: true,
  continuityPacketTokens: 1500,
  continuityImproveWith: "",
};
