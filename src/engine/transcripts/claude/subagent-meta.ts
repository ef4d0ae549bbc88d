import * as z from "zod";
import { errorCode } from "../../base/error-code.ts";
import { readOpening } from "../open-file.ts";

/** Upper bound; the file is much smaller. Bytes. */
const longest = 64 * 1024;

/** The small metadata file beside a subagent's transcript. Anything may be missing in older versions. */
const metaSchema = z.looseObject({
  agentType: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  finished: z.boolean().nullish().catch(null),
});

export interface SubagentMeta {
  readonly type: string | null;
  readonly description: string | null;
  /** True once it has ended, null when this version does not record it. */
  readonly finished: boolean | null;
}

const nothing: SubagentMeta = { type: null, description: null, finished: null };

/** @param transcript path of the subagent's `agent-<id>.jsonl` */
export function readSubagentMeta(transcript: string): SubagentMeta {
  try {
    const opening = readOpening(transcript.replace(/\.jsonl$/u, ".meta.json"), longest);
    return parseMeta(String(opening));
  } catch (error) {
    errorCode(error);
    return nothing;
  }
}

/** A half-written or foreign file yields nothing; it is read again when it next changes. */
function parseMeta(text: string): SubagentMeta {
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
