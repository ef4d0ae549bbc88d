import path from "node:path";
import { fail, succeed, type Result } from "../result.ts";
import { sentence } from "../text/sentence.ts";
import { realPathOf } from "./project-folder.ts";

/**
 * Tests whether a file or folder lies in its project once links are resolved. A repository can hold links in place of purser's and agents'
 * folders, and the person who cloned it did not choose their targets. Every writer below a project calls this before it creates anything.
 */
export function insideProject(place: string, project: string): Result<void, "outside_project"> {
  const [real, root] = [realPathOf(path.resolve(place)), realPathOf(path.resolve(project))];
  const below = path.relative(root, real);
  const isOutside = below === ".." || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  if (!isOutside) return succeed(undefined);
  return fail(
    "outside_project",
    sentence(
      "{0} leads to {1} by a link, which is outside of the project {2}; nothing is written there. Replace the link by a folder or a file of the project",
      place,
      real,
      root,
    ),
  );
}
