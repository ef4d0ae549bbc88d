import * as z from "zod";

/** The other panels of the sample, and its end. */
const sampleActions = ["ledger", "rules", "bench", "compare", "report", "guard", "close"] as const;
export type SampleAction = (typeof sampleActions)[number];

/** What the banner of a sample's panel asks of its host, beside the page's own messages. */
export const sampleMessage = z.object({ type: z.literal("sample"), action: z.enum(sampleActions) });
