/** What both programs that look after hooks run, in a bundle of its own: they share nearly all of it. */
export { mendOwnHooks } from "./mend-own.ts";
export { takeOutHooks } from "./take-out.ts";
