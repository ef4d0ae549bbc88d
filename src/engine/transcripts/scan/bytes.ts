/** A table of which bytes are among these characters. */
export function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** Whether the bytes at `start` equal `expected`. */
export function holdsAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

/** The text of a JSON string, from the bytes between its quotes. */
export function decodeText(bytes: Buffer, start: number, end: number, isEscaped: boolean): string {
  const raw = bytes.toString("utf8", start, end);
  if (!isEscaped) return raw;
  const text: unknown = JSON.parse(`"${raw}"`);
  return String(text);
}
