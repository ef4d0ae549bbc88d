import { createHash } from "node:crypto";

/**
 * The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits.
 * @param length how many of the 64 digits
 */
export function sha256Hex(content: string | Uint8Array, length = 64): string {
  return createHash("sha256").update(content).digest("hex").slice(0, length);
}

/**
 * The SHA-256 of bytes, or of a text in UTF-8, in the 64 characters that URLs and file names allow.
 * @param length how many of the 43 characters
 */
export function sha256Base64Url(content: string | Uint8Array, length = 43): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, length);
}
