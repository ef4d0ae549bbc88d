import { t } from "../../../engine/base/language.ts";
import type { GuardHit } from "../../../engine/guard/guard-answers.ts";
import { isUnknown } from "../../../engine/guard/commands.ts";
import { toolKind } from "../../../engine/transcripts/tool-kind.ts";

/** Calls that are offered. */
const maxCalls = 40;

/** Returns the calls that guard rules fired on lately, the newest first, each once, written as rules' examples are. */
export function recentCalls(hits: readonly Pick<GuardHit, "tool" | "excerpt">[]): readonly string[] {
  const calls = hits.map(asExample).filter((call) => call !== null);
  return [...new Set(calls)].slice(0, maxCalls);
}

/**
 * Returns null for a truncated call, one with parts that only the running shell knew, or one that rules do
 * not test.
 */
function asExample({ tool, excerpt }: Pick<GuardHit, "tool" | "excerpt">): string | null {
  if (tool === null || excerpt === null || excerpt.trim() === "") return null;
  if (excerpt.endsWith("…") || excerpt.includes("\n") || isUnknown(excerpt)) return null;
  switch (toolKind(tool)) {
    case "command":
      return tool.toLowerCase() === "powershell" ? `PowerShell(${excerpt})` : excerpt;
    case "read":
      return `Read(${excerpt})`;
    case "edit":
      return `Edit(${excerpt})`;
    case "search":
    case "list":
    case "other":
      return null;
  }
}

/** Returns the text of a new `~/.purser/guard.yaml`: all of it is a comment, so that it changes nothing. */
export function rulesTemplate(): string {
  return `# ${t("Your guard rules. Saved, this file is read at once; a fault is shown at its line, and the last good rules stay.")}
# ${t("purser guard list tells all rules, purser guard test --file FILE tries them on commands.")}

# ${t("What rules that come with purser do instead: off, advise, ask or deny.")}
# set:
#   delete-home: deny

# ${t('Calls on which a rule does not fire. "like" is found in the command or file; "folder" and "until" are not needed.')}
# exceptions:
#   - rule: delete-outside-project
#     like: ^rm -rf /srv/cache
#     folder: ~/shop
#     until: 2027-01-31

# ${t("Rules of your own.")}
# rules:
#   - id: no-deploy-by-hand
#     match: [{ program: make, words: deploy }]
#     message: This deploys to the shop that customers use.
#     remedy: Open a pull request; it is deployed when merged.
#     action: ask
#     fires: [make deploy]
#     passes: [make test]
`;
}
