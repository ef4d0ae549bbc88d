import * as z from "zod/mini";

/** The panels that lead to each other, in the order of their links. */
export const linkedPanels = ["ledger", "rules", "experiments", "guard", "economy"] as const;
export type LinkedPanel = (typeof linkedPanels)[number];
export type SampleAction = LinkedPanel | "close";

/** A request of the links above a page, besides the page's own messages: to show another panel. */
export const linkMessage = z.object({ type: z.literal("show"), panel: z.enum(linkedPanels) });

/** Likewise in a panel of the sample: to show another one of the sample's, or to end it. */
export const sampleMessage = z.object({
  type: z.literal("sample"),
  action: z.enum([...linkedPanels, "close"]),
});
