import { statSync } from "node:fs";
import * as z from "zod/mini";
import type { RowReading, SubagentFacts } from "../agent-session.ts";
import type { WholeReader } from "../live-reader.ts";
import { readJson } from "../../base/parse.ts";
import { readOpeningText } from "../open-file.ts";

/** Upper bound; the file is much smaller. Bytes. */
const maxSize = 64 * 1024;

/** The small metadata file beside a subagent's transcript. Anything may be missing in older versions. */
const metaSchema = z.looseObject({
  /** A teammate's name, if it has a spawned type. */
  agentType: z.catch(z.nullish(z.string()), null),
  spawnedAgentType: z.catch(z.nullish(z.string()), null),
  description: z.catch(z.nullish(z.string()), null),
  finished: z.catch(z.nullish(z.boolean()), null),
});

/** `finished` is true once it has ended, null when this version does not record it. */
export interface SubagentMeta extends SubagentFacts {
  /** Set only for a teammate; its description begins with it. */
  readonly name: string | null;
}

const nothing: SubagentMeta = { type: null, description: null, finished: null, name: null };

/** @param transcript path of the subagent's `agent-<id>.jsonl` */
export function readSubagentMeta(transcript: string): SubagentMeta {
  return readMeta(transcript.replace(/\.jsonl$/u, ".meta.json"));
}

/** Reads the file again after each change, until it reports the subagent's end. */
export class SubagentMetaReader implements WholeReader {
  readonly #path: string;
  #stats: ReturnType<WholeReader["stats"]>;
  #isFinished = false;

  /** @param path of the metadata file */
  constructor(path: string) {
    this.#path = path;
  }

  stats(): ReturnType<WholeReader["stats"]> {
    if (!this.#isFinished) this.#stats = statSync(this.#path, { throwIfNoEntry: false });
    return this.#stats;
  }

  read(): readonly RowReading[] {
    const { type, description, finished } = readMeta(this.#path);
    this.#isFinished = finished === true;
    const events = [{ kind: "subagent", type, description, finished } as const];
    return [{ outcome: "known", isSidechain: false, at: null, events }];
  }
}

/** A half-written or foreign file yields nothing; it is read again when it next changes. */
function readMeta(path: string): SubagentMeta {
  const meta = readJson(metaSchema, readOpeningText(path, maxSize));
  if (meta === null) return nothing;
  const spawned = filled(meta.spawnedAgentType);
  const name = spawned === null ? null : filled(meta.agentType);
  const description = [name, filled(meta.description)].filter((each) => each !== null).join(": ");
  return {
    type: spawned ?? meta.agentType ?? null,
    description: name === null ? (meta.description ?? null) : description,
    name,
    finished: meta.finished ?? null,
  };
}

function filled(text: string | null | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}
