import type { RoledLine } from "./changing.ts";
import { partOfLine, type LintFinding } from "./found-text.ts";
import { english } from "../../base/text/english.ts";

/** Where a file's instructions are read. Absolute paths; null where unknown. */
export interface LintPlace {
  /** The project's folder. */
  readonly project: string | null;
  /** The user's home folder. */
  readonly home: string | null;
}

/** Segments of a path. One at a sentence's end does not include the full stop. */
const names = "[\\p{L}\\p{N}_.@+-]*[\\p{L}\\p{N}_@+-]";
const posix = new RegExp(`(?<![\\w.~:/\\\\-])/(?:home|Users)/(${names})((?:/${names})*)/?`, "gu");
const windows = new RegExp(
  `(?<![\\w/\\\\])[A-Za-z]:[\\\\/]Users[\\\\/](${names})((?:[\\\\/]${names})*)[\\\\/]?`,
  "gu",
);
/** Placeholders, and users of images that are the same on every machine. */
const everybody =
  /^(?:my.*|your.*|user(?:name)?|project|agent|j(?:ohn)?\.?doe|you|me|name|example|alice|bob|jane|john|shared|public|default|node|vscode|codespace|runner|ubuntu|app|dev|linuxbrew|\.\.\.)$/iu;

/** Finds paths that exist on one machine only: for everybody else, and after a move, they lead nowhere. */
export function machinePaths(lines: readonly RoledLine[], place: LintPlace): LintFinding[] {
  return lines.flatMap(({ text, role }, line) => {
    if (role === "comment" || role === "frontmatter") return [];
    return [posix, windows].flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap((match): LintFinding[] => {
        const [whole, user = ""] = match;
        if (everybody.test(user)) return [];
        const span = partOfLine(line, match.index, whole.length);
        const other = portable(whole, place);
        return [
          {
            kind: "machine-path",
            span,
            message: english("“{0}” is a path of one machine: it leads nowhere for others.", whole),
            remedy: english("Name it by the project's folder, or from ~."),
            text: whole,
            fix: other === null ? null : { title: english("Write {0}", other), span, text: other },
          },
        ];
      }),
    );
  });
}

/** The same place by a path that holds on other machines, too; null where none is known. */
function portable(path: string, { project, home }: LintPlace): string | null {
  const inside = project === null ? null : wayBelow(path, project);
  if (inside !== null) return inside === "" ? "." : inside;
  const below = home === null ? null : wayBelow(path, home);
  return below === null ? null : below === "" ? "~" : `~/${below}`;
}

function wayBelow(path: string, folder: string): string | null {
  const [inner, outer] = [path, folder].map((each) => each.replaceAll("\\", "/").replace(/\/+$/u, ""));
  if (inner === undefined || outer === undefined || outer === "") return null;
  if (inner === outer) return "";
  return inner.startsWith(`${outer}/`) ? inner.slice(outer.length + 1) : null;
}
