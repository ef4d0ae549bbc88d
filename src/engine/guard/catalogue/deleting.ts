import type { GuardRule } from "../calls/rule.ts";

const recursive = "-r|-R|--recursive";
/** A text that only the running program knows. */
const unknown = "[\\x{FFFC}\\x{FFFD}]+";
/** A folder by its whole path, apart from those for temporary files. */
const remoteFolder = { like: "/.+", notPath: "temporary|root|system|home" } as const;
/** What a build or a program makes again. */
const product =
  "/(?:node_modules|dist|build|target|\\.?cache|__pycache__|\\.next|\\.venv|te?mp|coverage|logs?)(?:/|\\s|$)";

/** Rules on deleting files and whole trees of them. */
export const deletingRules: readonly GuardRule[] = [
  {
    id: "delete-root",
    family: "safety",
    match: [
      { program: "rm|rimraf|trash|unlink|srm|gio", operand: { path: "root" } },
      { program: "rm", flags: ["--no-preserve-root"] },
    ],
    message: "This deletes everything on the machine.",
    remedy: "Name the folder that you mean, below the project.",
    fires: [
      "rm -rf /",
      "sudo rm -rf /*",
      "rm --no-preserve-root -rf /srv/x",
      "cd / && rm -rf *",
      "bash -c 'rm -rf /'",
    ],
    passes: ["rm -rf ./build", "rm -rf /tmp/work", "echo 'rm -rf /'", "git commit -m 'rm -rf /'"],
  },
  {
    id: "delete-unset-variable",
    family: "safety",
    match: [{ program: "rm|rimraf", flags: [recursive], operand: { path: "maybe-root" } }],
    message: "Where the variable is empty, this deletes everything on the machine.",
    remedy: 'Write "${NAME:?}/" so that an empty variable stops the command.',
    fires: ["rm -rf $BUILD/*", 'rm -rf "$DIR/"', "sudo rm -rf ${OUT}/*"],
    passes: ['rm -rf "${DIR:?}/"*', "rm -rf $DIR", 'rm -rf "$DIR/build"', "DIR=out; rm -rf $DIR/*"],
  },
  {
    id: "delete-system-files",
    family: "safety",
    match: [
      { program: "rm|rimraf|srm|trash", operand: { path: "system", notPath: "root" } },
      { program: "unlink|rmdir", operand: { path: "system" } },
    ],
    message: "This deletes files that the operating system or its services need.",
    remedy: "Use the package manager, or name a file that is yours.",
    fires: [
      "rm -rf /etc/nginx",
      "sudo rm -f /usr/bin/python3",
      "ssh web 'rm -rf /var/lib/postgresql'",
      "rm -r /usr",
    ],
    passes: ["rm /tmp/x", "rm -rf dist", "rm etc/nginx.conf", "ls /etc"],
  },
  {
    id: "delete-home",
    family: "safety",
    match: [
      { program: "rm|rimraf|srm|trash|trash-put|rmdir", operand: { path: "home" } },
      { program: "gio", words: "trash", operand: { path: "home" } },
    ],
    message: "This deletes a whole home folder.",
    remedy: "Name the folder in it that you mean.",
    fires: [
      "rm -rf ~",
      "rm -rf $HOME/*",
      "sudo rm -r /home/bob",
      "ssh web 'rm -rf ~/*'",
      "ln -s ~ h && rm -rf h/",
      'eval "rm -rf $HOME"',
    ],
    passes: [
      "ln -s ~ h && rm h",
      "rm ~/shop/a.txt",
      "rm -rf ~/shop/dist",
      "echo rm -rf ~",
      "rm -rf '~backup'",
    ],
  },
  {
    id: "delete-home-folder",
    family: "safety",
    match: [
      { program: "rm|rimraf|srm", flags: [recursive], operand: { path: "home-entry", notPath: "root|home" } },
    ],
    message: "This deletes a folder of somebody's home, such as documents, settings or other projects.",
    remedy: "Ask the user, or name a part of it that the task made.",
    fires: [
      "rm -rf ~/Documents",
      "rm -rf ~/.ssh",
      "sh -c 'rm -r ~/.config'",
      "rm -rf /home/ann/other-project",
    ],
    passes: ["rm -rf ~/shop/node_modules", "rm ~/notes.txt", "ls -R ~/Documents", "rm -rf node_modules"],
  },
  {
    id: "delete-project",
    family: "safety",
    match: [
      {
        program: "rm|rimraf|srm|trash",
        flags: [recursive],
        operand: { path: "project|above-project", notPath: "root|system|home" },
      },
      // These delete trees without being told so.
      {
        program: "rimraf|del|del-cli|trash",
        operand: { path: "project|above-project", notPath: "root|system|home" },
      },
      // What find, ls or git lists is every file of the project, in all of its folders.
      {
        program: "rm|unlink|shred|truncate",
        via: "find|xargs|fd|fdfind|parallel",
        from: "find|git|fd|fdfind",
        operand: { path: "project|above-project", notPath: "root|system|home" },
      },
      {
        program: "rm|unlink|shred|truncate",
        via: "find|fd|fdfind",
        operand: { path: "project|above-project", notPath: "root|system|home" },
      },
    ],
    message: "This deletes the whole project, or a folder that it is in.",
    remedy: "Name the files that you mean; git clean -n shows what git does not know.",
    fires: [
      "find . -type f -exec rm {} +",
      "find . -delete",
      "find . -type f -delete",
      "find . -name '*' -delete",
      "sudo find /home/ann/shop -delete",
      "find . ! -name keep.txt -exec rm -rf {} +",
      "find . -mindepth 1 -not -path './.git/*' -delete",
      "find . \\( -name a -o -type f \\) -delete",
      "ln -s . all && rm -rf all/*",
      "git ls-files | xargs rm -f",
      "npx rimraf .",
      "ls -A | xargs rm -rf",
      "rm -rf .",
      "rm -rf ../shop",
      "rm -rf *",
      "rm -rf $PWD",
      "cd .. && rm -rf shop",
    ],
    passes: [
      "find . -name '*.o' -exec rm {} +",
      "find . -name '*.tmp' -delete",
      "find . -empty -type d -delete",
      "find build -delete",
      "find . -not -path './node_modules/*' -name '*.tmp' -delete",
      "find . -path ./node_modules -prune -o -name '*.bak' -exec rm {} +",
      "git ls-files '*.js' | xargs rm",
      "npx rimraf dist",
      "ls *.log | xargs rm -f",
      "rm -rf dist/*",
      "rm *",
      "cd build && rm -rf *",
      "rm -rf src",
    ],
  },
  {
    id: "delete-repository",
    family: "safety",
    match: [
      {
        program: "rm|rimraf|srm|trash",
        operand: { like: "(?:.*/)?\\.(?:git|hg|svn|jj)/?(?:\\*|refs/?.*|objects/?.*|HEAD|logs/?.*)?" },
      },
    ],
    message: "This deletes the repository's history, with everything that was never pushed.",
    remedy: "Leave .git alone; make a new clone beside it if it is broken.",
    fires: [
      "rm -rf .git",
      "rm -rf ./.git/*",
      "find . -name x -o -name y | xargs rm -rf .git",
      "cd .git && rm -rf ../.git",
    ],
    passes: ["rm .git/index.lock", "rm .gitignore", "rm -rf .github/old", "ls .git"],
  },
  {
    id: "delete-outside-project",
    family: "protect",
    match: [
      {
        program: "rm|rimraf|srm",
        flags: [recursive],
        operand: { path: "outside", notPath: "root|system|home|home-entry|above-project" },
      },
    ],
    message: "This deletes a folder outside the project.",
    remedy: "Delete only what this task made, and say where it is.",
    fires: ["rm -rf /opt/app/data", "rm -rf ~/work/other/src", "sudo rm -r /srv/files"],
    passes: ["rm -rf /tmp/x", "rm -rf dist", "rm /opt/app/a.pid"],
  },
  {
    id: "delete-remote-folder",
    family: "safety",
    match: [
      { program: "rm|srm", flags: [recursive], place: "remote", operand: remoteFolder, notText: product },
      {
        program: "rm|srm",
        flags: [recursive],
        place: "container",
        via: "kubectl|oc|k9s",
        operand: remoteFolder,
        notText: product,
      },
    ],
    message: "This deletes a folder on another machine, which has no copy here.",
    remedy: "List what is in it, and ask the user before it is deleted there.",
    fires: [
      "ssh prod 'rm -rf /opt/app'",
      "kubectl exec deploy/api -- rm -rf /data",
      "ansible all -m shell -a 'rm -rf /opt/app'",
      "PowerShell(ssh prod 'rm -rf /opt/app')",
    ],
    passes: [
      "ssh build 'rm -rf /tmp/shop'",
      "ssh build 'cd app && rm -rf dist'",
      "kubectl exec api-0 -- rm -rf /tmp/cache",
      "ssh build 'rm -rf /srv/app/node_modules'",
      "docker exec app rm -rf /app/data",
    ],
  },
  {
    id: "find-delete-broadly",
    family: "safety",
    match: [{ program: "find", flags: ["-delete"], operand: { path: "root|system|home" } }],
    message: "This deletes files all over the machine or a whole home folder.",
    remedy: "Begin in a folder of the project, and look with -print before -delete.",
    fires: ["find / -name '*.log' -delete", "sudo find ~ -type f -delete", "find /etc -mtime +3 -delete"],
    passes: ["find . -name '*.pyc' -delete", "find / -name '*.log'", "find /tmp/x -delete"],
  },
  {
    id: "shred-files",
    family: "safety",
    match: [
      { program: "shred|srm|wipe", count: [1, 99] },
      { program: "rm", flags: ["-P"] },
    ],
    message: "This overwrites files so that nothing brings them back.",
    remedy: "Use rm, or move the file away, if it need not be unreadable.",
    fires: ["shred -u notes.txt", "sudo shred /dev/sda", "find . -name '*.txt' -exec shred -u {} +"],
    passes: ["shred --help", "rm notes.txt", "grep -r shred src"],
  },
  {
    id: "delete-listed-files",
    family: "safety",
    match: [
      { program: "rm|rimraf|srm", flags: [recursive], via: "awk|gawk|mawk|nawk", every: { like: unknown } },
      { program: "rm|rimraf|srm", flags: [recursive], operand: { like: unknown, givenFile: "any" } },
    ],
    message: "This deletes whatever a list names, which nobody has looked at here.",
    remedy: "Read the list first, and name the files or folders that you mean.",
    fires: [
      "xargs rm -rf < list.txt",
      "cat list.txt | xargs -I{} rm -rf {}",
      "parallel -a files.txt rm -rf {}",
      "awk '{ system(\"rm -rf \" $1) }' dirs.txt",
      'while read -r d; do rm -rf "$d"; done < dirs.txt',
    ],
    passes: [
      "xargs -n1 echo < list.txt",
      "xargs rm -f < stale.txt",
      "ls *.tmp | xargs rm -f",
      "xargs rm -rf <<< 'build dist'",
      "find . -name '*.pyc' -print0 | xargs -0 rm -f",
    ],
  },
  {
    id: "empty-trash",
    family: "protect",
    match: [
      { program: "trash-empty" },
      { program: "gio", words: "trash", flags: ["--empty"] },
      { program: "rm", operand: { like: ".*/(?:\\.Trash|\\.local/share/Trash)(?:/.*)?" } },
    ],
    message: "This empties the trash, which holds what the user may still want back.",
    remedy: "Leave the trash to the user.",
    fires: ["trash-empty", "rm -rf ~/.local/share/Trash/*", "gio trash --empty"],
    passes: ["trash-list", "gio trash a.txt", "trash-put a.txt"],
  },
];
