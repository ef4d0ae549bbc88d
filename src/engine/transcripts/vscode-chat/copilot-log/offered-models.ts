import { statsOf } from "../../../base/disk/stats-of.ts";
import * as z from "zod";
import { errorCode } from "../../../base/error-code.ts";
import { parseJson } from "../../../base/parse-json.ts";
import { readOpening } from "../../open-file.ts";
import { optionalTokens, tokens } from "../../row-values.ts";

/** Upper bound; the list is a few hundred kilobytes. Bytes. */
const longest = 8 * 1024 * 1024;

/** Members of Copilot's own list of models, which its log keeps beside itself as `models.json`. */
const model = z.object({
  id: z.string(),
  capabilities: z.object({
    limits: z.object({
      max_context_window_tokens: tokens.min(1).nullish().catch(null),
      max_prompt_tokens: tokens.min(1).nullish().catch(null),
      max_output_tokens: optionalTokens,
    }),
  }),
});
const models = z.array(z.unknown());

/** The windows of models by name, from the list beside a log; read again when it changed. */
export class LogModels {
  readonly #path: string;
  #version = "";
  #windows: ReadonlyMap<string, number> = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  windowOf(name: string): number | null {
    const stats = statsOf(this.#path);
    const version = stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
    if (version !== this.#version) this.#windows = this.#read();
    this.#version = version;
    return this.#windows.get(name) ?? null;
  }

  #read(): ReadonlyMap<string, number> {
    try {
      const rows = models.safeParse(parseJson(String(readOpening(this.#path, longest)))).data ?? [];
      return new Map(rows.flatMap(windowOfRow));
    } catch (error) {
      errorCode(error);
      return new Map();
    }
  }
}

function windowOfRow(row: unknown): [string, number][] {
  const { data } = model.safeParse(row);
  if (data === undefined) return [];
  const {
    max_context_window_tokens: whole,
    max_prompt_tokens: prompt,
    max_output_tokens: output,
  } = data.capabilities.limits;
  // VS Code shows a model's window as the room for the prompt and that for the answer.
  const window = whole ?? (prompt === null || prompt === undefined ? null : prompt + (output ?? 0));
  return window === null ? [] : [[data.id, window]];
}
