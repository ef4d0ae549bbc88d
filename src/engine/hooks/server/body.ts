import { plainSentence } from "../../base/language.ts";
import type { IncomingMessage } from "node:http";
import { firstMembers } from "../event/first-members.ts";
import { parseJson } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";

/** The body of a hook request. */
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
