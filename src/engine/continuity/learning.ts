/** What past sessions did, and what they teach. */
export { learnedItems } from "./learn/review-items.ts";
export { taskNames, type TaskName } from "./learn/task.ts";
export { allTasks, readsFiles } from "./learn/tasks.ts";
export { shownScorecard } from "./scorecard/kept.ts";
export { decisionsIn } from "./story/decisions.ts";
export { ownProse } from "./story/own-prose.ts";
