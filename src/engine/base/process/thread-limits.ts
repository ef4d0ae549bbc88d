import type { ResourceLimits } from "node:worker_threads";

/** What a thread of ours may take of memory, in MB: one that goes wrong dies, and is begun again, before the machine has none left. */
const most = 512;

/** Of a thread that is over soon: it has all the room for what is soon garbage. */
export const shortLimits: ResourceLimits = { maxOldGenerationSizeMb: most };

/** Of a thread that is there all day. */
export const threadLimits: ResourceLimits = { ...shortLimits, maxYoungGenerationSizeMb: 8 };
