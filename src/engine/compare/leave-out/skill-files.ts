import { sentence } from "../../base/language.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import type { OverlayFile } from "../../bench/configuration.ts";

const maxFiles = 200;

/** At `.claude/skills/<the folder's name>` of a project. Does not follow links. */
export async function filesOfSkill(folder: string): Promise<Result<OverlayFile[], "bad_argument">> {
  const name = path.basename(folder);
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const below = (file: string) => path.relative(folder, file).split(path.sep).join("/");
    if (!files.some((file) => below(file) === "SKILL.md"))
      return fail("bad_argument", sentence("{0} is no skill: it has no SKILL.md", folder));
    if (files.length > maxFiles)
      return fail(
        "bad_argument",
        sentence("{0} has {1} files; a skill has at most {2}", folder, files.length, maxFiles),
      );
    const read = files.sort().map(async (file) => ({
      path: `.claude/skills/${name}/${below(file)}`,
      text: await readFile(file, "utf8"),
    }));
    return succeed(await Promise.all(read));
  } catch (error) {
    return fail("bad_argument", sentence("{0} cannot be read ({1})", folder, errorCode(error)));
  }
}

/** Without its SKILL.md. `target` is that file's path in a project, with `/`. */
export async function filesBesideSkill(
  folder: string,
  target: string,
): Promise<Result<OverlayFile[], "bad_argument">> {
  const files = await filesOfSkill(folder);
  if (!files.ok) return files;
  const usual = `.claude/skills/${path.basename(folder)}`;
  return succeed(
    files.value
      .filter((each) => each.path !== `${usual}/SKILL.md`)
      .map((each) => ({ ...each, path: `${path.posix.dirname(target)}${each.path.slice(usual.length)}` })),
  );
}
