import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";

const usageSchema = z.looseObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation: z.looseObject({
    ephemeral_5m_input_tokens: z.number(),
    ephemeral_1h_input_tokens: z.number(),
  }),
});

const modelUsageSchema = z.record(
  z.string(),
  z.looseObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadInputTokens: z.number(),
    cacheCreationInputTokens: z.number(),
  }),
);

const rowSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  sessionId: z.string().optional(),
  isSidechain: z.boolean().optional(),
  requestId: z.string().optional(),
  requestedModel: z.string().optional(),
  requestSessionId: z.string().optional(),
  querySource: z.string().optional(),
  isApiErrorMessage: z.boolean().optional(),
  params: z.looseObject({ model: z.string(), betas: z.array(z.string()) }).optional(),
  message: z
    .looseObject({ id: z.string().optional(), model: z.string().optional(), usage: usageSchema.optional() })
    .optional(),
  compactMetadata: z
    .looseObject({ trigger: z.string(), preTokens: z.number(), postTokens: z.number() })
    .optional(),
  modelUsage: modelUsageSchema.optional(),
});

export type RawRow = z.infer<typeof rowSchema>;

/** One transcript, read naively in full: a cross-check of the engine's own readers. */
export interface RawTranscript {
  readonly path: string;
  readonly isSubagent: boolean;
  readonly rows: readonly RawRow[];
}

/** Reads every `.jsonl` under a config folder's `projects`, ordered by path. */
export async function readRawTranscripts(config: string): Promise<RawTranscript[]> {
  const entries = await readdir(join(config, "projects"), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(paths.map(readRawTranscript));
}

export async function readRawTranscript(path: string): Promise<RawTranscript> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const rows = lines.map((line) => rowSchema.parse(JSON.parse(line)));
  return { path, isSubagent: basename(path).startsWith("agent-"), rows };
}
