import type { Command } from "./cli-host.ts";

/** Golden tasks and benches, in a bundle of their own (`esbuild.mjs`) as well: what else is slow does not pay for them. */
export const benchParts = {
  golden: async (): Promise<Command> => (await import("./golden-command.ts")).goldenCommand,
};
