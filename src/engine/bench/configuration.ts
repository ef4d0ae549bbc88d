import { createHash } from "node:crypto";
import * as z from "zod";
import { configurationRoles, type ConfigurationRole } from "./configuration-role.ts";

/** Longest text of one file of a configuration. Characters. */
const longestText = 1_000_000;

const overlayFile = z.object({
  path: z.string().min(1).max(4096),
  text: z.string().max(longestText).nullable(),
});

/** A configuration as a bench keeps it in its folder. */
export const configurationSchema = z.object({
  label: z.string().min(1).max(200),
  agent: z.string().min(1).max(200),
  model: z.string().min(1).max(200),
  effort: z.string().min(1).max(50).nullable(),
  definition: z.string().max(longestText).nullable(),
  memory: z.string().max(longestText).nullable(),
  overlay: z.array(overlayFile),
  /** A bench of before it was told does not know: it counts for no baseline. */
  role: z.enum(configurationRoles).default("candidate"),
});

/** A file of the copy that is written (text) or removed (null): CLAUDE.md, settings, skills, .mcp.json. */
export interface OverlayFile {
  /** Relative to the copy, with `/`. */
  readonly path: string;
  readonly text: string | null;
}

/** What one side of a measurement is; everything else is held constant. */
export interface Configuration {
  /** What people call it; two configurations of a bench differ in it. No part of what is measured. */
  readonly label: string;
  readonly agent: string;
  readonly model: string;
  readonly effort: string | null;
  /** Replaces the golden agent's file, frontmatter included. */
  readonly definition: string | null;
  /** The whole text of MEMORY.md under test; null for none. */
  readonly memory: string | null;
  readonly overlay: readonly OverlayFile[];
  /** No part of what is measured. */
  readonly role: ConfigurationRole;
}

/** The same for configurations that run the same, whatever they are called and in whichever order files are overlaid. */
export function configurationHash(configuration: Configuration): string {
  const { agent, model, effort, definition, memory } = configuration;
  const overlay = [...configuration.overlay]
    .map(({ path, text }) => [path, text] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const written = JSON.stringify([agent, model, effort, definition, memory, overlay]);
  return createHash("sha256").update(written).digest("hex");
}
