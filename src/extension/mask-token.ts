/** A text without the key of purser's service: it is not for screens. */
export function maskToken(text: string): string {
  return text.replaceAll(/Bearer [\w-]{16,}/gu, "Bearer (key of purser's service)");
}
