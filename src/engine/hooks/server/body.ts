import type { IncomingMessage } from "node:http";
import { fail, succeed, type Result } from "../../base/result.ts";

/** What an agent told. */
export interface HookBody {
  readonly bytes: Buffer;
  /** It is only the beginning: the rest was too much to be kept. */
  readonly isCut: boolean;
}

/** What a tool answered may be large; a hook's body has it whole. Bytes. */
const largestBody = 8 * 1024 * 1024;
/** Of a larger one this much is looked at: agents tell first who asks what, and where. Bytes. */
const longestBeginning = 64 * 1024;

/** Gathers a body as it comes, and lets go of what is too much. */
export class BodyGatherer {
  #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    const isLarge = this.#size > largestBody;
    this.#size += chunk.length;
    if (!isLarge) this.#chunks.push(chunk);
    if (!isLarge && this.#size > largestBody)
      this.#chunks = [Buffer.from(Buffer.concat(this.#chunks).subarray(0, longestBeginning))];
  }

  end(): HookBody {
    return { bytes: Buffer.concat(this.#chunks), isCut: this.#size > largestBody };
  }
}

/** Reads all of a request, however long it is: who sends it waits for an answer, and listens only after that. */
export function readBody(request: IncomingMessage): Promise<Result<HookBody, "gone">> {
  return new Promise((resolve) => {
    const body = new BodyGatherer();
    request.on("data", (chunk: Buffer) => body.add(chunk));
    request.once("end", () => resolve(succeed(body.end())));
    request.once("error", (error) => resolve(fail("gone", String(error))));
    request.once("close", () => resolve(fail("gone", "the connection was closed")));
  });
}
