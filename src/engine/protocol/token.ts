import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Compares in constant time, whatever the length: timing must not reveal how much of a token was right.
 */
export function isToken(shown: string, token: string): boolean {
  return timingSafeEqual(digest(shown), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
