/** The words by which a first prompt names its session: of a handover's document, the name of the work in its first line. */
export function promptName(prompt: string): string {
  return /^\W{0,8}Handover h[\da-f]{8}: (?<name>[^\r\n]+)/u.exec(prompt)?.groups?.["name"] ?? prompt;
}
