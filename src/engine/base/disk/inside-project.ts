import path from "node:path";
import { fail, succeed, type Result } from "../result.ts";
import { english } from "../text/english.ts";
import { realPathOf } from "./project-folder.ts";

/**
 * Whether a file or folder that purser is to write really lies in its project. A repository can hold links, also in the place of purser's and
 * agents' folders, and whoever cloned it did not choose where they lead. Asked by every writer below a project, before anything is made.
 */
export function insideProject(place: string, project: string): Result<void, "outside_project"> {
  const [real, root] = [realPathOf(path.resolve(place)), realPathOf(path.resolve(project))];
  const below = path.relative(root, real);
  const isOutside = below === ".." || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  if (!isOutside) return succeed(undefined);
  return fail(
    "outside_project",
    english(
      "{0} leads to {1} by a link, which is outside of the project {2}; nothing is written there. Replace the link by a folder or a file of the project",
      place,
      real,
      root,
    ),
  );
}
