import { Literal } from "../scan/byte-words.ts";
import type { JsonText } from "./json-text.ts";

/** A power of two. */
const slots = 32;

/** The texts that were last in one place of a line: most of them come again, and need not be decoded. */
export class KnownNames {
  readonly #written = Array.from({ length: slots }, () => Literal.of(""));
  readonly #names = Array.from({ length: slots }, () => "");

  /** The last string of a text. */
  read(text: JsonText): string {
    const { bytes, textStart, textEnd } = text;
    const slot =
      (textEnd - textStart + 3 * (bytes[textStart] ?? 0) + 5 * (bytes[textEnd - 1] ?? 0)) & (slots - 1);
    const written = this.#written[slot];
    if (written !== undefined && text.isWritten(written)) return this.#names[slot] ?? "";
    this.#written[slot] = new Literal(bytes.subarray(textStart, textEnd));
    return (this.#names[slot] = text.decoded());
  }
}
