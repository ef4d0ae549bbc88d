import { readFileSync } from "node:fs";
import * as z from "zod";
import { errorCode } from "./files.ts";

/** What the small file beside a subagent's transcript tells. Anything may be missing in older versions. */
const metaSchema = z.looseObject({
  agentType: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  finished: z.boolean().nullish().catch(null),
});

export interface SubagentMeta {
  readonly type: string | null;
  readonly description: string | null;
  /** True once it has ended, null when the version does not tell. */
  readonly finished: boolean | null;
}

const nothing: SubagentMeta = { type: null, description: null, finished: null };

/** @param transcript path of the subagent's `agent-<id>.jsonl` */
export function readSubagentMeta(transcript: string): SubagentMeta {
  let text: string;
  try {
    text = readFileSync(transcript.replace(/\.jsonl$/u, ".meta.json"), "utf8");
  } catch (error) {
    errorCode(error);
    return nothing;
  }
  return parseMeta(text);
}

/** A half-written or foreign file tells nothing; it is read again at its next change. */
export function parseMeta(text: string): SubagentMeta {
  try {
    const meta = metaSchema.parse(JSON.parse(text));
    return {
      type: meta.agentType ?? null,
      description: meta.description ?? null,
      finished: meta.finished ?? null,
    };
  } catch {
    return nothing;
  }
}
