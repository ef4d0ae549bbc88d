import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { handoverStates } from "../../ledger/entries.ts";

export const handoverJson = z.object({
  schema: z.literal(1),
  id: z.string().check(z.describe("The document's.")),
  file: z
    .string()
    .check(z.describe("The document, a Markdown file that may be edited before it is handed over.")),
  session: z.string().check(z.describe("The session whose work it hands over.")),
  cli: z.nullable(z.string()).check(z.describe("That session's agent.")),
  folder: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  commit: z.nullable(z.string()),
  made: z.nullable(z.string()).check(z.describe("ISO time.")),
  state: z.enum(handoverStates),
  outOfDate: z.array(sentenceSchema).check(z.describe("What changed in the project since it was made.")),
  to: z.nullable(z.string()).check(z.describe("The agent that is to go on, or went on, with it.")),
  successor: z.nullable(z.string()).check(z.describe("The session that went on with it.")),
  tokens: z
    .object({ nextCall: z.nullable(z.number()), document: z.nullable(z.number()) })
    .check(z.describe("What the session's next call would carry, and what the document takes; estimated.")),
});
export type HandoverJson = z.infer<typeof handoverJson>;
