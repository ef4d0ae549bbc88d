import type { GuardRule } from "../calls/rule.ts";

/** A folder that is made to have nothing in it. */
const emptyFolder = "(?i)(?:.*[/\\\\])?(?:empty|blank|nothing|void)(?:[._-]?(?:dir|folder|d|tmp))?[/\\\\]*";
/** Files that nobody made for one task only. */
const kept = { notPath: "temporary" } as const;

/** Rules on copying and packing that deletes what is on one side. */
export const movingRules: readonly GuardRule[] = [
  {
    id: "sync-with-delete",
    family: "safety",
    match: [
      {
        program: "rsync",
        flags: ["--delete|--delete-before|--delete-after|--delete-excluded|--delete-during|--del"],
        without: "-n|--dry-run",
        last: { path: "root|system|home|project|above-project" },
      },
      {
        program: "rsync",
        flags: ["--delete|--delete-before|--delete-after|--delete-excluded|--delete-during|--del"],
        without: "-n|--dry-run",
        operand: { like: emptyFolder },
        count: [2, 99],
      },
      { program: "rclone", words: "sync|purge|delete", without: "-n|--dry-run|-i|--interactive" },
      {
        program: "aws",
        words: "s3 sync",
        flags: ["--delete"],
        operand: { like: emptyFolder },
        without: "--dryrun",
      },
      { program: "gsutil", words: "rsync", flags: ["-d"], operand: { like: emptyFolder }, without: "-n" },
      {
        program: "gcloud",
        words: "storage rsync",
        flags: ["--delete-unmatched-destination-objects"],
        operand: { like: emptyFolder },
        without: "--dry-run",
      },
      {
        program: "azcopy|s3cmd|mc|s5cmd|b2|mcli",
        flags: ["--delete-destination|--delete-removed|--remove|--delete"],
        operand: { like: emptyFolder },
        without: "--dry-run|-n|--fake",
      },
      { program: "az", flags: ["--delete-destination"], value: { of: "-s|--source", like: emptyFolder } },
      { program: "lftp", text: "mirror\\b[^;]*(?:-R|--reverse)[^;]*--delete\\b" },
      { program: "robocopy", flags: ["/MIR|/mir|/PURGE|/purge"], without: "/L|/l" },
    ],
    message: "This deletes whatever the target has and the source has not.",
    remedy: "Look with --dry-run first, and check which side is the source.",
    fires: [
      "rsync -a --delete empty/ ~/",
      "rsync -a --delete /tmp/empty/ data/",
      "aws s3 sync ./empty s3://b --delete",
      "rclone sync ./out remote:bucket",
      "rsync -av --delete src/ /",
    ],
    passes: [
      "rsync -a src/ dst/",
      "rsync -an --delete empty/ ~/",
      "rsync -a --delete ./ /tmp/copy/",
      "rclone copy a remote:b",
      "aws s3 sync dist s3://b",
    ],
  },
  {
    id: "archive-removes-sources",
    family: "safety",
    match: [
      { program: "tar|bsdtar|gtar", flags: ["--remove-files"], operand: kept },
      { program: "tar|bsdtar|gtar", flags: ["--remove-files", "-T|--files-from"] },
      { program: "zip", flags: ["-m|--move"], operand: kept },
      { program: "7z|7za|7zz|7zr", words: "a|u", flags: ["-sdel"], operand: kept },
      { program: "rar", words: "m|mf" },
      { program: "rar", words: "a|u", flags: ["-df|-dw"] },
      { program: "rsync", flags: ["--remove-source-files"], without: "-n|--dry-run" },
      { program: "rclone", words: "move|moveto", without: "-n|--dry-run|-i|--interactive" },
      {
        program: "aws",
        words: "s3 mv",
        flags: ["--recursive"],
        operand: { path: "project|above-project|home|home-entry" },
        without: "--dryrun",
      },
      { program: "gsutil", words: "mv", operand: { path: "project|above-project|home|home-entry" } },
      { program: "gzip|bzip2|xz|zstd|lz4", flags: ["-r"], operand: { path: "project|home|home-entry" } },
    ],
    message: "This deletes the files once they are packed or copied.",
    remedy: "Leave the option out, check the copy, and delete the files then.",
    fires: [
      "tar czf a.tgz --remove-files src",
      "zip -rm a.zip docs",
      "7z a a.7z src -sdel",
      "rsync -a --remove-source-files src/ host:src/",
      "sudo rclone move ~/Documents remote:docs",
    ],
    passes: [
      "cd /tmp && tar czf out.tgz --remove-files out",
      "zip -rm /tmp/logs.zip /tmp/logs",
      "tar czf a.tgz src",
      "zip -qr a.zip dist",
      "7z a a.7z src",
      "rclone move a b:c --dry-run",
      "gzip old.log",
    ],
  },
];
