import { readJson } from "../base/parse.ts";
import * as z from "zod/mini";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { type Sentence, sentence } from "../base/language.ts";
import { sha256Hex } from "../base/hash.ts";
import { type DriverName, configurationRoles, type ConfigurationRole } from "./run-facts.ts";
import type { GoldenAgent } from "./suite/suite.ts";

/** Maximum length of one file of a configuration. Characters. */
const maxTextLength = 1_000_000;

const overlayFile = z.object({
  path: z.string().check(z.minLength(1), z.maxLength(4096)),
  text: z.nullable(z.string().check(z.maxLength(maxTextLength))),
});

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

/** Model names as in each agent's API. An alias that means another model tomorrow could not be a baseline. */
const usual: Readonly<Record<DriverName, string>> = {
  claude: "claude-sonnet-5-5",
  codex: "gpt-5.5-codex",
  replay: "claude-sonnet-5-5",
};

/** Returns the model of an agent for which none was requested: that of its definition, if the driver has it. */
export function defaultModel(driver: DriverName, agent: Pick<GoldenAgent, "model">): string {
  return driver === "codex" ? usual.codex : (agent.model ?? usual[driver]);
}

interface ActiveMemory {
  readonly label: Sentence;
  readonly text: string;
}

/** By agent; agents without active rules are absent. */
export type ActiveMemories = Readonly<Record<string, ActiveMemory>>;

interface Own {
  readonly agent: string;
  readonly model: string;
  readonly effort: string | null;
  /** The agent's active rules; null when none is active. */
  readonly memory: ActiveMemory | null;
}

/**
 * The configuration of an unchanged agent: its own definition, with its active rules. Only its runs become
 * baselines, which are per model. An explicit effort makes it a candidate.
 */
export function currentConfiguration({ agent, model, effort, memory }: Own): Configuration {
  return {
    label: memory?.label ?? sentence("no rules"),
    agent,
    model,
    effort,
    definition: null,
    memory: memory?.text ?? null,
    overlay: [],
    role: effort === null ? "active" : "candidate",
  };
}

/** The configuration of an agent with a memory other than its active rules, or with none. */
export function withMemory(
  own: Omit<Own, "memory">,
  memory: { readonly label: Sentence; readonly text: string | null },
): Configuration {
  const { label, text } = memory;
  return { ...currentConfiguration({ ...own, memory: null }), label, memory: text, role: "candidate" };
}

const servers = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

/**
 * Parses an .mcp.json; null if it is not JSON of that shape, which no agent would read either.
 */
export function readServers(text: string): z.infer<typeof servers> | null {
  return readJson(servers, text);
}

export function serversIn(text: string): string[] {
  return Object.keys(readServers(text)?.mcpServers ?? {});
}
