import type { GuardRule, Match } from "../../calls/rule.ts";

/** Matches what changes a kind of file by a shell. */
function shellWriting(path: string, notPath?: string): Match[] {
  const test = notPath === undefined ? { path } : { path, notPath };
  return [
    { program: "*", place: "here", writes: test },
    { program: "tee|sponge", place: "here", operand: test },
    { program: "sed|gsed", place: "here", operand: test, flags: ["-i|--in-place"] },
    { program: "perl", place: "here", operand: test, flags: ["-i|-pi"] },
    { program: "cp|mv|install|ln", place: "here", last: test, without: "-n|--no-clobber|-t" },
    { program: "truncate|shred", place: "here", operand: test },
    { program: "dd", place: "here", operand: { like: "of=(?P<path>.+)", ...test } },
    { program: "set-content|out-file|clear-content|add-content", place: "here", operand: test },
  ];
}

function writing(path: string, notPath?: string): Match[] {
  return [
    ...shellWriting(path, notPath),
    { tool: "edit", path, ...(notPath === undefined ? {} : { notPath }) },
  ];
}

/** Rules on files that are not a project's own sources. */
export const otherFileRules: readonly GuardRule[] = [
  {
    id: "edit-outside-project",
    family: "protect",
    match: [
      {
        tool: "edit",
        path: "outside",
        notPath: "agent-notes|agent-settings|startup|scheduled|ssh|purser|system|repository",
      },
    ],
    message: "This file is outside the project, and may belong to another one.",
    remedy: "Work within the project, or ask the user whether this file is meant.",
    fires: [
      "Edit(/home/ann/other/src/a.ts)",
      "Write(/home/ann/notes.txt) <<< x",
      "Write(/srv/www/index.html) <<< x",
    ],
    passes: [
      "Edit(/home/ann/shop/src/a.ts)",
      "Write(/tmp/scratch.ts) <<< x",
      "Write(/home/ann/.claude/plans/a.md) <<< x",
      "Edit(src/a.ts)",
      "Read(/home/ann/other/src/a.ts)",
    ],
  },
  {
    id: "overwrite-home-file",
    family: "protect",
    match: [
      {
        program: "*",
        place: "here",
        writes: {
          path: "home-entry",
          notPath: "agent-settings|startup|ssh|purser|agent-notes",
          truncates: true,
        },
      },
      {
        program: "cp|mv|ln",
        place: "here",
        last: { path: "home-entry", like: ".*/\\.[^/]+", notPath: "startup|ssh|purser|secret-folder" },
        without: "-n|--no-clobber|-i",
      },
      {
        program: "sed",
        place: "here",
        flags: ["-i|--in-place"],
        operand: { path: "home-entry", notPath: "agent-settings|startup|ssh|purser" },
      },
    ],
    message: "This overwrites a file in the user's home, which no repository keeps.",
    remedy: "Write into the project or /tmp, or append, or keep a copy of the old file first.",
    fires: [
      "echo x > ~/.gitconfig",
      "sudo cp a /home/ann/.vimrc",
      "bash -c 'sed -i s/a/b/ ~/.tmux.conf'",
      "cat list > ~/todo.txt",
    ],
    passes: [
      "echo x >> ~/notes.txt",
      "cat ~/.gitconfig",
      "echo x > out.txt",
      "cp ~/.vimrc /tmp",
      "echo x > ~/other/file.txt",
    ],
  },
  {
    id: "write-system-file",
    family: "protect",
    match: [
      { tool: "edit", path: "system", notPath: "startup|scheduled|ssh" },
      {
        program: "curl|wget",
        place: "here",
        value: { of: "-o|--output|-O|--output-document", path: "system", notPath: "startup" },
      },
      { program: "chmod|chown", place: "here", operand: { path: "system" }, without: "--help|--version" },
    ],
    message: "This changes a file of the operating system, for every user and program.",
    remedy: "Use the system's own tool for it, or tell the user what has to change.",
    fires: [
      "Write(/etc/nginx/nginx.conf) <<< x",
      "Edit(/etc/hosts)",
      "sudo curl -o /usr/bin/tool https://x.example/tool",
      "sudo chmod 644 /etc/hosts",
    ],
    passes: [
      "cat /etc/hosts",
      "cp /etc/hosts /tmp/hosts",
      "echo x > /dev/null",
      "docker exec web sh -c 'echo x > /etc/app.conf'",
      "ls /usr/bin",
      "Edit(/home/ann/shop/etc/app.conf)",
    ],
  },
  {
    id: "damage-boot",
    family: "safety",
    match: [
      {
        program: "*",
        place: "here",
        writes: {
          like: "/boot/.*|/etc/fstab|/proc/sysrq-trigger|/sys/(?:firmware|power)/.*",
          truncates: true,
        },
      },
      {
        program: "rm|mv|shred|truncate|unlink",
        place: "here",
        operand: { like: "/boot(?:/.*)?|/etc/fstab|/sys/firmware/.*" },
      },
      {
        program: "cp|tee|dd",
        place: "here",
        last: { like: "(?:of=)?(?:/boot/.*|/etc/fstab|/proc/sysrq-trigger)" },
        without: "-a|--append",
      },
      {
        program: "tee|sed",
        place: "here",
        operand: { like: "/proc/sysrq-trigger|/etc/fstab" },
        without: "-a|--append|-n",
      },
      { tool: "edit", like: "/boot/.*|/etc/fstab" },
    ],
    message: "After this the machine may not start again.",
    remedy: "Tell the user the line to change, and let them keep a copy first.",
    fires: [
      "sudo rm -rf /boot/*",
      "echo x > /etc/fstab",
      "echo b | sudo tee /proc/sysrq-trigger",
      "bash -c 'sudo mv /boot/vmlinuz /tmp'",
      "Edit(/etc/fstab)",
    ],
    passes: [
      "cat /etc/fstab",
      "ls /boot",
      "df /boot",
      "cp /etc/fstab /tmp/fstab",
      "rm -rf boot/cache",
      "grep boot /etc/fstab",
    ],
  },
  {
    id: "write-into-repository-folder",
    family: "protect",
    match: [
      ...writing("repository", "hooks"),
      {
        program: "rm",
        place: "here",
        operand: { like: "(?P<path>.*\\.git/.+)", path: "repository", notPath: "hooks" },
        notText: "(?:index|HEAD|shallow|config|packed-refs|refs/\\S+)\\.lock",
      },
    ],
    message: "This changes the repository's own data past git, which can break it.",
    remedy: "Use the git command for it, such as `git config` or `git update-ref`.",
    fires: [
      "echo ref: x > .git/HEAD",
      "sudo sed -i s/a/b/ .git/config",
      "rm -rf .git/objects/ab",
      "Edit(/home/ann/shop/.git/config)",
      "bash -c 'cp /tmp/index .git/index'",
    ],
    passes: [
      "cat .git/HEAD",
      "rm -f .git/index.lock",
      "git config user.name ann",
      "cp .git/config /tmp",
      "ls .git/refs",
      "Edit(/home/ann/shop/.github/workflows/ci.yml)",
      "Edit(/home/ann/shop/.gitignore)",
    ],
  },
  {
    id: "edit-lock-file",
    family: "protect",
    match: [...writing("lock-file")],
    message: "This changes a lock file by hand; its versions and hashes then no longer agree.",
    remedy: "Let the package manager write it, such as with `npm install` or `cargo update`.",
    fires: [
      "Edit(/home/ann/shop/package-lock.json)",
      "sed -i s/1.0/1.1/ yarn.lock",
      "echo '{}' > package-lock.json",
      "bash -c 'jq .x a > Cargo.lock'",
    ],
    passes: [
      "cat package-lock.json | jq .version",
      "npm install",
      "rm package-lock.json && npm install",
      "git checkout main -- yarn.lock",
      "Edit(/home/ann/shop/package.json)",
      "grep left-pad yarn.lock",
    ],
  },
  {
    id: "edit-generated-file",
    family: "protect",
    match: [
      { tool: "edit", path: "generated" },
      { program: "sed|gsed", place: "here", flags: ["-i|--in-place"], operand: { path: "generated" } },
      { program: "*", place: "here", writes: { path: "generated" } },
      { program: "tee", place: "here", operand: { path: "generated" } },
    ],
    message: "This file is made by a program, and the change is gone when it is made again.",
    remedy: "Change what it is made from, or keep a patch of the dependency with `patch-package`.",
    fires: [
      "Edit(/home/ann/shop/node_modules/react/index.js)",
      "sed -i s/a/b/ node_modules/x/lib/a.js",
      "Edit(/home/ann/shop/api/user.pb.go)",
      "bash -c 'echo x > .venv/lib/python3/site-packages/a.py'",
    ],
    passes: [
      "cat node_modules/react/package.json",
      "rm -rf node_modules",
      "ls .venv/lib",
      "Edit(/home/ann/shop/api/user.proto)",
      "npx patch-package react",
      "Read(/home/ann/shop/node_modules/react/index.js)",
    ],
  },
  {
    id: "overwrite-migration",
    family: "protect",
    match: [
      { program: "*", place: "here", writes: { path: "migration", truncates: true }, without: "--help" },
      { program: "sed|gsed", place: "here", flags: ["-i|--in-place"], operand: { path: "migration" } },
      { program: "rm|unlink|shred|truncate", place: "here", operand: { path: "migration" } },
    ],
    message: "This migration may have run already; databases that have it will not get the change.",
    remedy: "Add a new migration, unless this one was made just now and has run nowhere.",
    fires: [
      "sed -i s/text/int/ db/migrations/20240301120000_add_users.sql",
      "rm migrations/0003_orders.py",
      "bash -c 'echo x > prisma/migrations/20240101000000_init/migration.sql'",
    ],
    passes: [
      "cat db/migrations/20240301120000_add_users.sql",
      "npx prisma migrate dev",
      "ls migrations",
      "Edit(/home/ann/shop/migrations/README.md)",
      "python manage.py makemigrations",
      "rm migrations/__pycache__/a.pyc",
    ],
  },
  {
    id: "write-cloud-settings",
    family: "protect",
    match: [
      ...shellWriting("secret", "environment-file|fixture|ssh|private-key|purser"),
      {
        tool: "edit",
        like: ".*/(?:\\.aws/(?:credentials|config)|\\.kube/config|\\.docker/config\\.json|\\.netrc|\\.git-credentials|\\.pgpass|\\.config/gh/hosts\\.yml)",
      },
      { tool: "edit", like: "(?:/home/[^/]+|/Users/[^/]+|/root)/\\.npmrc" },
    ],
    message: "This changes the user's own logins, for every project.",
    remedy: "Set it for this project or this one command, through the environment.",
    fires: [
      "echo '[default]' > ~/.aws/credentials",
      "sudo cp /tmp/k ~/.kube/config",
      "Edit(/home/ann/.aws/config)",
      "bash -c 'echo machine x >> ~/.netrc'",
    ],
    passes: [
      "aws configure list",
      "kubectl config use-context dev",
      "Edit(/home/ann/shop/.npmrc)",
      "export KUBECONFIG=./kubeconfig",
      "ls -l ~/.netrc",
    ],
  },
  {
    id: "overwrite-environment-file",
    family: "protect",
    match: [
      { program: "*", place: "here", writes: { path: "environment-file", truncates: true } },
      {
        program: "cp|mv",
        place: "here",
        last: { path: "environment-file" },
        without: "-n|--no-clobber|-i|-u",
        notText: "example|sample|template|dist|default",
      },
      { program: "rm|unlink|shred|truncate", place: "here", operand: { path: "environment-file" } },
    ],
    message: "This overwrites or deletes a file of secrets that no repository keeps.",
    remedy: "Append to it, or copy with `cp -n`, which leaves a file that is there.",
    fires: ["echo A=1 > .env", "cp .env.staging .env", "rm -f .env.local", "sudo bash -c 'cat > .env'"],
    passes: [
      "echo A=1 >> .env",
      "cp .env.example .env",
      "cp -n .env.staging .env",
      "cp .env /tmp/env.bak",
      "rm .env.example",
      "touch .env",
    ],
  },
];
