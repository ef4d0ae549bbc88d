/** The code of both programs that maintain hooks, in one bundle: they share nearly all of it. */
export { mendOwnHooks } from "./mend-own.ts";
export { takeOutHooks } from "./take-out.ts";
