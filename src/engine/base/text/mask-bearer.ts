/** Replaces the bearer tokens of purser's service, which must not show on screens and in logs. @param shown the replacement */
export function maskBearer(text: string, shown: string): string {
  return text.replaceAll(/Bearer [\w-]{16,}/gu, `Bearer (${shown})`);
}
