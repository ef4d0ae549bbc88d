export { knownHere, matchPrompt } from "./learn/advice-for.ts";
export { learnedItems } from "./learn/review-items.ts";
export { taskNames, type TaskName } from "./learn/task.ts";
export { allTasks, readsFiles } from "./learn/tasks.ts";
export { shownScorecard } from "./scorecard.ts";
export { decisionsIn, ownProse } from "./story/decisions.ts";
