import * as z from "zod";

/** User settings for recurring agents. */
export const wakesShape = {
  /** Whether the service wakes agents by their schedule: those whose file was agreed to, in trusted folders. */
  wakes: z
    .boolean()
    .describe(
      "Let the service wake recurring agents by their schedule, which costs tokens. Only in folders that you trust, and only after you agreed to the agent's file.",
    ),
};

export const defaultWakesSettings = { wakes: false };
