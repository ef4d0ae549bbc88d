import { type Sentence, plainSentence } from "../base/language.ts";
import type { Readable } from "node:stream";
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
} from "vscode-jsonrpc/node";
import type { Result } from "../base/result.ts";
import { parseJson } from "../base/parse.ts";

/** `Content-Length` and perhaps another header of the protocol. Bytes. */
const maxHeaderLength = 512;

export interface FrameOptions {
  /** Current maximum of a message. Bytes. */
  readonly limit: () => number;
  /** Rejects a message that is not allowed at this point. */
  readonly admit: (value: unknown) => Result<Message>;
  /** Called once; nothing is read after that. */
  readonly onRefused: (why: Sentence) => void;
}

type Outcome = { readonly body: Buffer } | "incomplete" | { readonly refused: Sentence };

export class FrameReader extends AbstractMessageReader implements MessageReader {
  readonly #stream: Readable;
  readonly #options: FrameOptions;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Length of the message being read; undefined during its header. Bytes. */
  #length: number | undefined;
  #refused = false;

  constructor(stream: Readable, options: FrameOptions) {
    super();
    this.#stream = stream;
    this.#options = options;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer) => this.#receive(chunk, callback);
    const onClose = () => this.fireClose();
    this.#stream.on("data", onData).on("close", onClose);
    return { dispose: () => void this.#stream.off("data", onData).off("close", onClose) };
  }

  #receive(chunk: Buffer, callback: DataCallback): void {
    if (this.#refused) return;
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      const outcome = this.#next();
      if (outcome === "incomplete") return;
      const admitted = "body" in outcome ? this.#admit(outcome.body) : outcome;
      if ("refused" in admitted) {
        this.#refuse(admitted.refused);
        return;
      }
      callback(admitted.message);
    }
  }

  #next(): Outcome {
    if (this.#length === undefined) {
      const length = this.#readHeader();
      if (typeof length !== "number") return length;
      if (length > this.#options.limit())
        return { refused: plainSentence(`a message of ${length} bytes is too long`) };
      this.#length = length;
    }
    if (this.#held < this.#length) return "incomplete";
    const body = this.#take(this.#length);
    this.#length = undefined;
    return { body };
  }

  #readHeader(): number | Exclude<Outcome, { body: Buffer }> {
    const all = this.#join();
    const end = all.subarray(0, maxHeaderLength).indexOf("\r\n\r\n");
    if (end < 0)
      return all.length < maxHeaderLength ? "incomplete" : { refused: plainSentence("a header is too long") };
    const header = this.#take(end + 4).toString("latin1");
    const digits = /^content-length: *(\d{1,12})\r$/imu.exec(header)?.[1];
    return digits === undefined
      ? { refused: plainSentence("a header does not tell a length") }
      : Number(digits);
  }

  #admit(body: Buffer): { message: Message } | { refused: Sentence } {
    const value = parseJson(body.toString("utf8"));
    if (value === undefined) return { refused: plainSentence("a message is no JSON") };
    const admitted = this.#options.admit(value);
    return admitted.ok ? { message: admitted.value } : { refused: admitted.detail };
  }

  #refuse(why: Sentence): void {
    this.#refused = true;
    this.#chunks = [];
    this.#held = 0;
    this.#options.onRefused(why);
  }

  #join(): Buffer {
    const [first] = this.#chunks;
    const all = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #take(length: number): Buffer {
    const all = this.#join();
    this.#chunks = length < all.length ? [all.subarray(length)] : [];
    this.#held = all.length - length;
    return all.subarray(0, length);
  }
}
