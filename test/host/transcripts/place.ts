import type { Scratch } from "../scratch.ts";

/** Where sessions are stored, and where they work. */
export type Place = Pick<Scratch, "claude" | "home" | "workspace">;
