import { sentence, type Sentence } from "../base/text/sentence.ts";

/**
 * Describes in a sentence or two what a replay is worth.
 * @param recordedBy how its recordings were made: models' names, or `script`
 */
export function describeReplay(recordedBy: readonly string[]): Sentence {
  const models = recordedBy.filter((by) => by !== "script");
  return models.length === 0
    ? sentence("Demo: replays a recording. It says nothing about a model.")
    : sentence(
        "Demo: replays recordings of {0}. It says nothing about a model as it is now.",
        models.join(", "),
      );
}
