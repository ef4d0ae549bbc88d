import type { Compressor } from "../compressor.ts";
import { kindOf } from "../left-out.ts";

const transfer = kindOf("git-fetch", "line of progress", "lines of progress");

const progress =
  /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Unpacking|Writing|Updating) (?:objects|deltas|files): +\d+%/u;

/** The progress of git's transfers. Commits, files and branches are rows that matter, and are kept. */
export const git: Compressor = {
  runs: (words) => words[0] === "git",
  mark: ({ ends, lines }, marks) => {
    if (!/: +\d+%/u.test(ends)) return;
    lines.forEach((line, index) => {
      if (progress.test(line)) marks.dropQuiet(index, transfer);
    });
  },
};
