import { english } from "../base/text/english.ts";

/**
 * Describes in a sentence or two what a replay is worth.
 * @param recordedBy how its recordings were made: models' names, or `script`
 */
export function describeReplay(recordedBy: readonly string[]): string {
  const models = recordedBy.filter((by) => by !== "script");
  return models.length === 0
    ? english("Demo: replays a recording. It says nothing about a model.")
    : english(
        "Demo: replays recordings of {0}. It says nothing about a model as it is now.",
        models.join(", "),
      );
}
