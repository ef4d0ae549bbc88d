import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret nobody can guess: 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes as long whatever was shown, of whatever length: time must not tell how much of it was right. */
export function isToken(shown: string, token: string): boolean {
  return timingSafeEqual(digest(shown), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
