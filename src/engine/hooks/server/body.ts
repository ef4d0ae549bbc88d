import { plainSentence } from "../../base/language.ts";
import type { IncomingMessage } from "node:http";
import { parseJson } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";

export interface HookBody {
  readonly bytes: Buffer;
  /** Truncated: `bytes` holds only the start. */
  readonly isCut: boolean;
}

/** Parses a body. For a truncated one, returns its complete leading members: the event, the session and the paths. */
export function parseBody({ bytes, isCut }: HookBody): unknown {
  const text = bytes.toString("utf8");
  return isCut ? firstMembers(text) : parseJson(text);
}

/** Maximum size of a body that is read whole, as a tool's output can be large. Bytes. */
const maxBodySize = 8 * 1024 * 1024;
/** Stored length of a larger body: agents put event, session and paths first. Bytes. */
const maxStartSize = 64 * 1024;

/** Collects a body as it arrives, and discards what exceeds the limit. */
export class BodyGatherer {
  #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    const isLarge = this.#size > maxBodySize;
    this.#size += chunk.length;
    if (!isLarge) this.#chunks.push(chunk);
    if (!isLarge && this.#size > maxBodySize)
      this.#chunks = [Buffer.from(Buffer.concat(this.#chunks).subarray(0, maxStartSize))];
  }

  end(): HookBody {
    return { bytes: Buffer.concat(this.#chunks), isCut: this.#size > maxBodySize };
  }
}

/**
 * Reads the whole request, however long it is: a client listens for the answer only after sending everything.
 */
export function readBody(request: IncomingMessage): Promise<Result<HookBody, "gone">> {
  return new Promise((resolve) => {
    const body = new BodyGatherer();
    request.on("data", (chunk: Buffer) => body.add(chunk));
    request.once("end", () => resolve(succeed(body.end())));
    request.once("error", (error) => resolve(fail("gone", plainSentence(String(error)))));
    request.once("close", () => resolve(fail("gone", plainSentence("the connection was closed"))));
  });
}

/** Parses the complete leading members of a truncated object. Returns undefined for a text that does not start as an object. */
export function firstMembers(text: string): unknown {
  const end = lastComma(text);
  return end === null ? undefined : parseJson(`${text.slice(0, end)}}`);
}

/** Offset of the end of the last complete member; null when there is none. */
function lastComma(text: string): number | null {
  let depth = 0;
  let isText = false;
  let end: number | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isText) {
      if (char === "\\") index += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === "," && depth === 1) end = index;
  }
  return end;
}
