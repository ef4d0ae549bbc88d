import * as z from "zod/mini";
import { bounds } from "./packet/packet.ts";

export {
  displayNameOf,
  handoverAgents,
  handoverWords,
  launchArguments,
  wordOf,
  type HandoverWord,
} from "./handover/launch.ts";
export { findAgentProgram } from "./handover/agent-program.ts";
export { readCard } from "./handover/card.ts";
export { maxDocumentSize } from "./handover/file-name.ts";
export { handoverIn, isHandoverId } from "./handover/identity.ts";
export { withImprovement, withoutImprovement } from "./handover/improvement.ts";
export {
  askForImprovement,
  findOwnClaude,
  planImprovement,
  type AskedImprovement,
  type ImprovementPlan,
  type ImproverInput,
} from "./handover/improver.ts";

/** Facts about a session that a schedule woke, in addition to its record. A program wrote its prompts, and no person reads its replies. */
export const unattendedWork = z.object({
  objective: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** Decisions in people's words, the oldest first. */
  decisions: z
    .array(z.string().check(z.minLength(1), z.maxLength(bounds.text)))
    .check(z.maxLength(bounds.lines)),
  /** Beginnings of the prompts that the program wrote. */
  beginnings: z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(10)),
});
export type UnattendedWork = z.infer<typeof unattendedWork>;
