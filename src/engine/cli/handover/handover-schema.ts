import * as z from "zod";
import { handoverStates } from "../../ledger/entries/handed-over.ts";

/** Output of `purser handover --json`. Members may be added; any other change changes `schema`. */
export const handoverJson = z.object({
  schema: z.literal(1),
  id: z.string().describe("The document's."),
  file: z.string().describe("The document, a Markdown file that may be edited before it is handed over."),
  session: z.string().describe("The session whose work it hands over."),
  cli: z.string().nullable().describe("That session's agent."),
  folder: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  made: z.string().nullable().describe("ISO time."),
  state: z.enum(handoverStates),
  outOfDate: z.array(z.string()).describe("What changed in the project since it was made."),
  to: z.string().nullable().describe("The agent that is to go on, or went on, with it."),
  successor: z.string().nullable().describe("The session that went on with it."),
  tokens: z
    .object({ nextCall: z.number().nullable(), document: z.number().nullable() })
    .describe("What the session's next call would carry, and what the document takes; estimated."),
});
export type HandoverJson = z.infer<typeof handoverJson>;
