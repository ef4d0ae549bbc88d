import { fail, succeed } from "../../base/result.ts";
import type { LearningHost } from "./learning-host.ts";
import { learningRequests } from "../continuity-requests.ts";
import { serve, type ServeClient, type Handlers } from "../../protocol/serve.ts";
import { sentence } from "../../base/language.ts";

const missing = fail("no_learning", sentence("this service learns nothing"));

const handlers: Handlers<LearningHost, typeof learningRequests> = {
  learnStatus: (learning) => succeed({ status: learning.status() }),
  learnRun: (learning, { task }, signal) => learning.run(task, signal),
  learnItems: (learning, { project }) => learning.items(project),
  learnMark: (learning, mark) => learning.mark(mark),
};

/**
 * Lessons, for clients.
 * @param part undefined for a service that does not learn
 */
export function serveLearning(part: LearningHost | undefined): ServeClient {
  return serve({
    requests: learningRequests,
    part,
    missing,
    handlers: () => handlers,
  });
}
