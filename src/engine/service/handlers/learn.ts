import { fail, succeed } from "../../base/result.ts";
import type { LearningHost } from "../../continuity/host/learning-host.ts";
import type { learningRequests } from "../../continuity/learning-requests.ts";
import { feature, type Feature, type Handlers } from "./feature.ts";
import { english } from "../../base/text/english.ts";

const missing = fail("no_learning", english("this service learns nothing"));

const handlers: Handlers<LearningHost, keyof typeof learningRequests> = {
  learnStatus: (learning) => succeed({ status: learning.status() }),
  learnRun: (learning, { task }, signal) => learning.run(task, signal),
  learnItems: (learning, { project }) => learning.items(project),
  learnMark: (learning, mark) => learning.mark(mark),
};

/**
 * What is learned, for clients.
 * @param part undefined where a service learns nothing
 */
export function learningFeature(part: LearningHost | undefined): Feature {
  return feature({ part, missing, handlers: () => handlers });
}
