/**
 * Describes in a sentence or two what a replay is worth.
 * @param recordedBy how its recordings were made: models' names, or `script`
 */
export function describeReplay(recordedBy: readonly string[]): string {
  const models = recordedBy.filter((by) => by !== "script");
  return models.length === 0
    ? "Demo: replays a recording. It says nothing about a model."
    : `Demo: replays recordings of ${models.join(", ")}. It says nothing about a model as it is now.`;
}
