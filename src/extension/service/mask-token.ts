import { maskBearer } from "../../engine/base/text.ts";

/** Masks the key of purser's service, which must not appear on screen. */
export function maskToken(text: string): string {
  return maskBearer(text, "key of purser's service");
}
