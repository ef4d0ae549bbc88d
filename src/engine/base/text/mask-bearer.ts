/** A text without tokens that are shown to purser's service: they are not for screens and logs. @param shown in their place */
export function maskBearer(text: string, shown: string): string {
  return text.replaceAll(/Bearer [\w-]{16,}/gu, `Bearer (${shown})`);
}
