import { sentenceSchema } from "../base/schema/sentence-schema.ts";
import type { Sentence } from "../base/text/sentence.ts";
import { sha256Hex } from "../base/hash.ts";
import * as z from "zod/mini";
import { configurationRoles, type ConfigurationRole } from "./configuration-role.ts";

/** Maximum length of one file of a configuration. Characters. */
const maxTextLength = 1_000_000;

const overlayFile = z.object({
  path: z.string().check(z.minLength(1), z.maxLength(4096)),
  text: z.nullable(z.string().check(z.maxLength(maxTextLength))),
});

/** A configuration as stored in a bench's folder. */
export const configurationSchema = z.object({
  label: sentenceSchema.check(z.refine(({ text }) => text !== "" && text.length <= 200)),
  agent: z.string().check(z.minLength(1), z.maxLength(200)),
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  effort: z.nullable(z.string().check(z.minLength(1), z.maxLength(50))),
  definition: z.nullable(z.string().check(z.maxLength(maxTextLength))),
  memory: z.nullable(z.string().check(z.maxLength(maxTextLength))),
  overlay: z.array(overlayFile),
  guard: z.optional(z.literal("on")),
  /** Missing in benches stored before roles existed; the default counts for no baseline. */
  role: z._default(z.enum(configurationRoles), "candidate"),
});

/** A file to write (text) or remove (null) in the copy: CLAUDE.md, settings, skills, .mcp.json. */
export interface OverlayFile {
  /** Relative to the copy, with `/`. */
  readonly path: string;
  readonly text: string | null;
}

/** One side of a measurement; everything else is held constant. */
export interface Configuration {
  /** Display name, unique among a bench's configurations. Not part of what is measured. */
  readonly label: Sentence;
  readonly agent: string;
  readonly model: string;
  readonly effort: string | null;
  /** Replaces the golden agent's file, frontmatter included. */
  readonly definition: string | null;
  /** Full text of the MEMORY.md under test; null for none. */
  readonly memory: string | null;
  readonly overlay: readonly OverlayFile[];
  /**
   * Whether purser's own guards answer the run's calls, with every family `on`. Otherwise there is no purser
   * hook.
   */
  readonly guard?: "on" | undefined;
  /** Not part of what is measured. */
  readonly role: ConfigurationRole;
}

/** Hashes what affects a run: labels, roles and the order of overlay files make no difference. */
export function configurationHash(configuration: Configuration): string {
  const { agent, model, effort, definition, memory, guard } = configuration;
  const overlay = [...configuration.overlay]
    .map(({ path, text }) => [path, text] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const hashed = [agent, model, effort, definition, memory, overlay];
  const written = JSON.stringify(guard === undefined ? hashed : [...hashed, guard]);
  return sha256Hex(written);
}
