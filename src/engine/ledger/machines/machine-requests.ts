import * as z from "zod/mini";
import { request } from "../../protocol/serve.ts";
import { sharedEntry } from "../entries/machine-entries.ts";

const id = z.string().check(z.regex(/^[0-9a-f-]{36}$/u));
const cursor = z.string().check(z.maxLength(200));

/** The user's other machines, and how far each one's usage is merged. */
const machines = request("machines", {
  params: z.object({}),
  answer: z.object({
    machines: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        cursor: z.nullable(z.string()),
        syncedAt: z.nullable(z.number()),
      }),
    ),
  }),
});

/** Rows of another machine, with the cursor that follows them. Repeating a request changes nothing. */
const mergeMachine = request("mergeMachine", {
  params: z.object({
    id,
    label: z.string().check(z.minLength(1), z.maxLength(100)),
    /** Whether the machine's earlier rows are of another ledger, and go. */
    isAnew: z.boolean(),
    rows: z.array(z.object({ version: z.int(), row: sharedEntry })).check(z.maxLength(2000)),
    retractions: z
      .array(z.object({ version: z.int(), session: z.string().check(z.minLength(1), z.maxLength(4096)) }))
      .check(z.maxLength(2000)),
    cursor: z.nullable(cursor),
    /** Whether the cursor is the last of an export. */
    isEnd: z.boolean(),
  }),
  answer: z.object({}),
});

export type MergedRows = z.infer<typeof mergeMachine.params>;

/** Removes a machine with everything that came from it. */
const forgetMachine = request("forgetMachine", { params: z.object({ id }), answer: z.object({}) });

export const machineRequests = { machines, mergeMachine, forgetMachine };
