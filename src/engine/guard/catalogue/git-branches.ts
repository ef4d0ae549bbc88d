import type { GuardRule } from "../calls/rule.ts";

/** All words behind the options are branches in folders with names that say that they are thrown away. */
const passingBranches =
  "^branch(?: -\\S+)*(?: (?:te?mp|scratch|wip|test|tests|ci|sandbox|throwaway|try|backup)(?:[/_-]\\S*)?)+$";
/** Of as many branches and more, somebody is asked. */
const manyBranches = 3;

/** Rules on deleting branches that may not be merged. */
export const gitBranchRules: readonly GuardRule[] = [
  {
    id: "git-delete-branches",
    family: "safety",
    match: [
      {
        program: "git",
        words: "branch",
        flags: ["-D"],
        via: "xargs|parallel",
        without: "-r|--remotes",
        notText: passingBranches,
      },
      // A line that git has printed for a shell.
      {
        program: "git",
        words: "branch",
        flags: ["-D"],
        via: "sh|bash|zsh|dash|ksh",
        operand: { like: "\\x{FFFD}" },
        without: "-r|--remotes",
        notText: passingBranches,
      },
      {
        program: "git",
        words: "branch",
        flags: ["-D"],
        operand: { from: "git" },
        without: "-r|--remotes",
        notText: passingBranches,
      },
      {
        program: "git",
        words: "branch",
        flags: ["-d|--delete", "-f|--force"],
        via: "xargs|parallel",
        without: "-r|--remotes",
        notText: passingBranches,
      },
      {
        program: "git",
        words: "branch",
        flags: ["-D"],
        count: [manyBranches, 99],
        without: "-r|--remotes",
        notText: passingBranches,
      },
      {
        program: "git",
        words: "branch",
        flags: ["-d|--delete", "-f|--force"],
        count: [manyBranches, 99],
        without: "-r|--remotes",
        notText: passingBranches,
      },
    ],
    message: "This deletes many branches at once, also those with commits that are nowhere else.",
    remedy: "Use git branch -d, which refuses what is not merged.",
    fires: [
      "git branch | grep -v main | xargs git branch -D",
      "git branch -D fix/a fix/b old",
      "git branch -D $(git branch --list 'fix/*')",
      "git branch -D $(git branch --list 'tmp/*' 'fix/*')",
      "git for-each-ref --format='%(refname:short)' refs/heads | xargs -n1 sudo git branch --delete --force",
    ],
    passes: [
      "git branch --merged | grep -v main | xargs git branch -d",
      "git branch -D feature",
      "git branch --list 'tmp/*' | xargs git branch -D",
      'for b in $(git branch --list "scratch/*"); do git branch -D "$b"; done',
      "git branch | grep '^  tmp/' | xargs git branch -D",
      "git branch | xargs echo",
    ],
  },
  {
    id: "git-delete-branch",
    family: "safety",
    action: "advise",
    match: [
      {
        program: "git",
        words: "branch",
        flags: ["-D"],
        count: [1, manyBranches - 1],
        without: "-r|--remotes",
        notText: passingBranches,
      },
      {
        program: "git",
        words: "branch",
        flags: ["-d|--delete", "-f|--force"],
        count: [1, manyBranches - 1],
        without: "-r|--remotes",
        notText: passingBranches,
      },
    ],
    message: "This deletes a branch without a look at whether its commits are merged anywhere.",
    remedy: "Use git branch -d, which refuses what is not merged.",
    fires: ["git branch -D feature", "git branch --delete --force a b", "sh -c 'git branch -df feature'"],
    passes: ["git branch -d feature", "git branch -D tmp/a", "git branch -rD origin/x", "git branch -f main"],
  },
];
