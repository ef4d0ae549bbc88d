import { repositoryOf, testTable } from "./support/project.ts";

testTable("flags", (t) => repositoryOf(t, { "a.txt": "1\n" }), {
  fires: [
    [
      "git commit --ammend",
      "The installed `git commit` has no option `--ammend`. The nearest that it has: `--amend`.",
    ],
    ["git commit -m x --no-verfy", "`--no-verify`"],
    ["git push --force-with-leese", "`--force-with-lease`"],
    ["sort --nummeric-sort a.txt", "`--numeric-sort`"],
    ["ls --humanreadable", "`--human-readable`"],
    ["tar --exctract -f x.tar", "`--extract`"],
    ["du --max-deph=1", "`--max-depth`"],
  ],
  silent: [
    "git commit --amend --no-edit",
    "git commit --allow-empty -m x",
    "git commit -m --ammend",
    "git commit --no-amend",
    "git merge --no-ff main",
    "git branch --show-current",
    "git log --ammend",
    "git ammend --ammend",
    "git commit -- --ammend",
    "git commit --am",
    "git commit --totally-other-thing",
    "ls --help",
    "ls --version",
    "ls --human",
    "ls --color=auto",
    "./ls --humanreadable".replace("./ls", "unknown-program"),
    "npx tsc --humanreadable",
    "grep --ignorecase x a.txt",
    "ssh host ls --humanreadable",
    "docker run --itt x",
  ],
});
