import * as z from "zod";

/** User settings for recurring agents. */
export const wakesShape = {
  /** Whether the service wakes agents by their schedule: those whose file was agreed to, in trusted folders. */
  wakes: z
    .boolean()
    .describe(
      "Whether the service wakes recurring agents by their schedule, which spends tokens: only those whose file you agreed to, in folders that you trust.",
    ),
};

export const defaultWakesSettings = { wakes: false };
