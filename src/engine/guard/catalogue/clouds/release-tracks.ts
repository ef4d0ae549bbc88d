/** Returns commands of gcloud, also as its alpha and beta have them. */
export function tracks(...commands: readonly string[]): string {
  return commands.flatMap((words) => [words, `alpha ${words}`, `beta ${words}`]).join("|");
}
