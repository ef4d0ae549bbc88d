import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { handoverStates } from "../../ledger/entries.ts";

export const handoverJson = z.object({
  schema: z.literal(1),
  id: described(z.string(), "The document's."),
  file: described(z.string(), "The document, a Markdown file that may be edited before it is handed over."),
  session: described(z.string(), "The session whose work it hands over."),
  cli: described(z.nullable(z.string()), "That session's agent."),
  folder: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  commit: z.nullable(z.string()),
  made: described(z.nullable(z.string()), "ISO time."),
  state: z.enum(handoverStates),
  outOfDate: described(z.array(sentenceSchema), "What changed in the project since it was made."),
  to: described(z.nullable(z.string()), "The agent that is to go on, or went on, with it."),
  successor: described(z.nullable(z.string()), "The session that went on with it."),
  tokens: described(
    z.object({ nextCall: z.nullable(z.number()), document: z.nullable(z.number()) }),
    "What the session's next call would carry, and what the document takes; estimated.",
  ),
});
export type HandoverJson = z.infer<typeof handoverJson>;
