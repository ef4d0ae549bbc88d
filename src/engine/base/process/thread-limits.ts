import type { ResourceLimits } from "node:worker_threads";

/** Memory limit of our threads, in MB: one that goes wrong dies and is restarted before the machine runs out of memory. */
const maxMemory = 512;

/** For a short-lived thread, with all the room for short-lived garbage. */
export const shortLimits: ResourceLimits = { maxOldGenerationSizeMb: maxMemory };

/** For a thread that lives all day. */
export const threadLimits: ResourceLimits = { ...shortLimits, maxYoungGenerationSizeMb: 8 };
