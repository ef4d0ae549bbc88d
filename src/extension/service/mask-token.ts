import { maskBearer } from "../../engine/base/text/mask-bearer.ts";

/** A text without the key of purser's service: it is not for screens. */
export function maskToken(text: string): string {
  return maskBearer(text, "key of purser's service");
}
