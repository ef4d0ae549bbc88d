import { readSmallText } from "../../base/disk/read-small-text.ts";
import { isSamePath } from "../../base/disk/same-path.ts";
import { hookPrograms, type HookProgram } from "../program.ts";
import { markFor, markHeader } from "./settings/install-settings-entry.ts";
import { hookFile, hookScopes } from "./settings/agent-file.ts";
import type { HomeInput } from "../../base/disk/home.ts";

/** Larger settings files are rejected. Bytes. */
const maxFileSize = 4 * 1024 * 1024;

/**
 * Returns the agents with purser's hooks in a project. Budgets can warn and stop these, and only count
 * others.
 */
export function heldPrograms(project: string, { env, home }: HomeInput): HookProgram[] {
  return hookPrograms.filter((program) =>
    hookScopes.some((scope) => {
      const found = hookFile(program, scope, { env, home, project, isSame: isSamePath });
      const text = found.ok ? readSmallText(found.value.file, maxFileSize) : null;
      return text !== null && (text.includes(markFor(program, "")) || text.includes(markHeader));
    }),
  );
}
