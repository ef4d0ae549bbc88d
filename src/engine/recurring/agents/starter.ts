import { insideProject } from "../../base/disk/inside-project.ts";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { HandoverWord } from "../../continuity/handover/launch.ts";
import { sentence } from "../../base/text/sentence.ts";

/** The text of the file of a new agent, which a person completes. */
export function definitionText({
  name,
  program,
  model,
}: {
  readonly name: string;
  readonly program: HandoverWord;
  readonly model: string;
}): string {
  const head = stringify({ program, model }, { lineWidth: 0 });
  return `---
${head}# schedule: "*/30 8-18 * * 1-5"   # wake it by purser wake --due from cron or a systemd timer
# budget: { wake: 200000, day: 2000000 }
wake: Go on with your task. Read what is new, do the next step, and write a comment when something changed.
---
You are ${name}, a recurring agent of this project. Describe here, once, what it is responsible for, what it must not do, and when a
task counts as done. A session reads this only when it begins.
`;
}

/** Writes the file of a new agent, and never over one that is there. */
export function writeDefinition(
  file: string,
  text: string,
  project: string,
): Result<null, "exists" | "unwritable" | "outside_project"> {
  const inside = insideProject(path.dirname(file), project);
  if (!inside.ok) return inside;
  if (existsSync(file)) return fail("exists", sentence("{0} exists already; edit it instead", file));
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
    return succeed(null);
  } catch (error) {
    return fail("unwritable", sentence("{0} cannot be written ({1})", file, errorCode(error)));
  }
}
