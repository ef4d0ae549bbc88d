import * as z from "zod";
import { bounds } from "../packet/packet.ts";

/** Facts about a session that a schedule woke, in addition to its record. A program wrote its prompts, and no person reads its replies. */
export const unattendedWork = z.object({
  /** The purpose of the work. */
  objective: z.string().min(1).max(2000),
  /** Decisions in people's words, the oldest first. */
  decisions: z.array(z.string().min(1).max(bounds.text)).max(bounds.lines),
  /** Beginnings of the prompts that the program wrote. */
  beginnings: z.array(z.string().min(1).max(200)).max(10),
});
export type UnattendedWork = z.infer<typeof unattendedWork>;
