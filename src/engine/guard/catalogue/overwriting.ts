import type { GuardRule } from "../calls/rule.ts";

/** Rules on overwriting and moving what cannot be made again, and on disks. */
export const overwritingRules: readonly GuardRule[] = [
  {
    id: "write-to-disk-device",
    family: "safety",
    match: [
      { program: "*", writes: { path: "device" } },
      { program: "tee|cp|mv|dd|pv", operand: { path: "device" } },
      {
        program: "dd",
        operand: {
          like: "of=/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper|dm-|md).*|of=.*PhysicalDrive\\d+",
        },
      },
    ],
    message: "This writes straight onto a disk, over whatever is on it.",
    remedy: "Write into a file; let the user write disks.",
    fires: [
      "dd if=/dev/zero of=/dev/sda bs=1M",
      "cat image.iso > /dev/sdb",
      "sudo sh -c 'cat x > /dev/nvme0n1'",
      "cp image.img /dev/disk2",
    ],
    passes: [
      "dd if=/dev/zero of=disk.img bs=1M count=10",
      "echo x > /dev/null",
      "ls /dev/sda",
      "dd if=/dev/sda of=backup.img",
    ],
  },
  {
    id: "format-disk",
    family: "safety",
    match: [
      {
        program:
          "mkfs|mkfs.ext4|mkfs.ext3|mkfs.ext2|mkfs.xfs|mkfs.btrfs|mkfs.vfat|mkfs.fat|mkfs.ntfs|mkfs.exfat|mke2fs|mkswap|mkdosfs|newfs",
        operand: { like: "/dev/.*" },
      },
      { program: "wipefs", flags: ["-a|--all|-o|--offset"], without: "-n|--no-act" },
      { program: "blkdiscard|zpool", operand: { like: "/dev/.*" } },
      { program: "zpool|zfs", words: "destroy" },
      {
        program: "diskutil",
        words:
          "eraseDisk|eraseVolume|reformat|zeroDisk|secureErase|partitionDisk|apfs deleteContainer|apfs deleteVolume",
      },
      { program: "nvme", words: "format|sanitize" },
      { program: "hdparm", flags: ["--security-erase|--security-erase-enhanced|--trim-sector-ranges"] },
      { program: "cryptsetup", words: "luksFormat|luksErase|erase|reencrypt" },
    ],
    message: "This makes an empty file system, and everything on the disk is lost.",
    remedy: "Let the user format disks; use an image file for a test.",
    fires: [
      "mkfs.ext4 /dev/sdb1",
      "sudo mkfs -t xfs /dev/nvme1n1",
      "wipefs --all /dev/sda",
      "diskutil eraseDisk JHFS+ X disk2",
      "zfs destroy tank/home",
    ],
    passes: ["mkfs.ext4 disk.img", "wipefs /dev/sda", "diskutil list", "zfs list"],
  },
  {
    id: "repartition-disk",
    family: "safety",
    match: [
      {
        program: "parted|sgdisk|gdisk|fdisk|sfdisk|cfdisk",
        operand: { like: "/dev/.*" },
        without: "-l|--list|-p|--print|-i|--info|-s|--show-size|-d|--dump|-J|--json",
        notText: "\\bprint\\b|unit \\S+ p",
      },
      { program: "parted", text: "^-s \\S+ (?:rm|mk\\w+|resizepart)\\b" },
      { program: "badblocks", flags: ["-w"], operand: { path: "device" } },
      { program: "btrfs", words: "subvolume delete|device remove" },
      { program: "lvremove|vgremove|pvremove" },
      { program: "mdadm", flags: ["--zero-superblock|--stop|--remove"] },
    ],
    message: "This changes how a disk is divided, which may lose all of its data.",
    remedy: "Let the user change partitions and volumes.",
    fires: [
      "parted /dev/sda mklabel gpt",
      "sudo fdisk /dev/sda",
      "lvremove -f vg0/home",
      "mdadm --zero-superblock /dev/sdb",
    ],
    passes: ["fdisk -l /dev/sda", "parted /dev/sda print", "lvdisplay", "sfdisk --dump /dev/sda"],
  },
  {
    id: "overwrite-system-file",
    family: "safety",
    match: [
      { program: "*", writes: { path: "system" }, notPlace: "container" },
      { program: "tee", operand: { path: "system" }, notPlace: "container" },
      {
        program: "ln",
        flags: ["-f|--force"],
        last: { like: "/(?:etc|bin|sbin|lib|lib64|boot|usr/(?:bin|sbin|lib|include))/.*" },
        notPlace: "container",
      },
      {
        program: "truncate",
        operand: { path: "system" },
        notPlace: "container",
      },
      { program: "sort", value: { of: "-o|--output", path: "system" }, notPlace: "container" },
      {
        program: "tar|bsdtar",
        flags: ["-x|--extract|--get"],
        value: { of: "-C|--directory", path: "root|system" },
      },
      { program: "unzip|7z", value: { of: "-d|-o", path: "root|system" } },
      {
        program: "cp|mv|install",
        last: { like: "/(?:etc|bin|sbin|lib|lib64|boot|usr/(?:bin|sbin|lib|include))/.*" },
        count: [2, 99],
        notPlace: "container",
      },
      {
        program: "sed|perl",
        flags: ["-i|--in-place"],
        operand: { path: "system" },
        notPlace: "container",
      },
    ],
    message: "This changes a file of the operating system.",
    remedy: "Ask the user, or change a copy in the project.",
    fires: [
      "echo x > /etc/hosts",
      "echo '1.2.3.4 a' | sudo tee -a /etc/hosts",
      "sed -i s/a/b/ /etc/ssh/sshd_config",
      "sudo cp app.conf /etc/nginx/nginx.conf",
      "truncate -s 0 /etc/passwd",
      "tar -xf a.tar -C /",
    ],
    passes: [
      "sudo ln -s /etc/nginx/sites-available/a /etc/nginx/sites-enabled/a",
      "tar -xf a.tar -C /tmp/x",
      "unzip a.zip -d out",
      "cat /etc/hosts",
      "cp /etc/hosts hosts.txt",
      "echo x > etc/hosts",
      "sed s/a/b/ /etc/hosts",
    ],
  },
  {
    id: "move-important-folder",
    family: "safety",
    match: [
      {
        program: "mv",
        // Not each file of a folder, which find or a loop renames.
        operand: { path: "root|system|home|project|above-project", like: ".*[^\\x{FFFD}]" },
        count: [2, 99],
        notText: "^\\S+\\s+\\.\\.?/?\\s*$|\\s\\.\\s*$|\\s\\.\\./?\\s*$|\\s\\./\\s*$",
      },
      {
        program: "mv",
        operand: { like: "(?:.*/)?\\.(?:git|hg|svn|jj)/?" },
        count: [2, 99],
        notText: "^\\S+\\s+\\S*\\.(?:git|hg|svn|jj)/?\\s*$",
      },
    ],
    message:
      "This moves the project, a home, or a folder of the system away from where everything expects it.",
    remedy: "Copy it, or name the files in it that you mean.",
    fires: [
      "mv ~ /tmp/old",
      "sudo mv /usr /usr.old",
      "mv /home/ann/shop /tmp/shop",
      "mv /* /tmp",
      "mv .git /tmp/",
    ],
    passes: [
      "mv /tmp/clone/.git .git",
      "find . -type f | xargs -I {} mv {} {}.txt",
      "mv a.txt b.txt",
      "mv build/x .",
      "mv dist ../",
      "mv /tmp/a /tmp/b",
    ],
  },
  {
    id: "discard-into-null",
    family: "safety",
    match: [{ program: "mv", operand: { like: "/dev/null" } }],
    message: "This replaces files by nothing: moving onto /dev/null loses them.",
    remedy: "Use rm for what should go.",
    fires: ["mv notes.txt /dev/null", "sudo mv ~/Documents /dev/null"],
    passes: ["ls > /dev/null", "cp /dev/null log.txt", "mv a b"],
  },
  {
    id: "empty-secret-or-repository-file",
    family: "safety",
    match: [
      { program: "truncate", operand: { path: "secret|repository" } },
      {
        program: "*",
        writes: {
          path: "repository",
          truncates: true,
          notPath: "hooks",
          like: "(?:.*/)?\\.(?:git|hg)/(?:HEAD|index|config|packed-refs|refs/.*|objects/.*)",
        },
      },
    ],
    message: "This empties a file that the repository or a login needs.",
    remedy: "Use git's own commands, or keep a copy.",
    fires: ["truncate -s 0 .git/index", "echo > .git/HEAD", "sudo truncate -s0 ~/.ssh/id_rsa"],
    passes: ["truncate -s 0 app.log", "cat .git/HEAD", "echo x > notes.txt"],
  },
  {
    id: "empty-many-files",
    family: "safety",
    match: [
      {
        program: "truncate",
        value: { of: "-s|--size", like: "0[A-Za-z]*" },
        operand: { like: ".*[*?\\[].*", notPath: "log|temporary|generated" },
      },
      {
        program: "sed",
        flags: ["-i|--in-place"],
        operand: { like: "(?:s([/|#,])\\^?\\.\\*\\$?[/|#,]{2}g?|(?:1,\\$)?d)" },
      },
    ],
    message: "This empties every file that the pattern finds.",
    remedy: "Name the files that you mean, and look at them first.",
    fires: [
      "truncate -s 0 src/*.ts",
      "sudo truncate --size=0 ./*",
      "sed -i 's/.*//' src/*.js",
      "sed -i d *.md",
    ],
    passes: [
      "truncate -s 0 logs/*.log",
      "truncate -s 0 app.log",
      "truncate -s 1M a*.img",
      "sed -i 's/.*/x/' a.txt",
      "sed -i '/x/d' a.txt",
    ],
  },
  {
    id: "overwrite-with-source",
    family: "safety",
    match: [
      {
        program: "cp",
        operand: { path: "root|home" },
        flags: ["-r|-R|-a|--recursive|--archive"],
        count: [2, 99],
        text: "(?:/\\*|\\s)\\s*/\\s*$",
      },
      {
        program: "tar",
        flags: ["-x|--extract|--get", "-C|--directory"],
        value: { of: "-C|--directory", like: "/|/(?:etc|bin|sbin|lib|lib64|boot)(?:/.*)?|/usr/?" },
      },
      { program: "unzip", flags: ["-o", "-d"], operand: { path: "root|system" } },
    ],
    message: "This unpacks or copies over the files of the operating system.",
    remedy: "Use a folder of the project or a temporary one.",
    fires: ["tar -xf x.tar -C /", "sudo tar -xzf x.tgz --directory /etc", "cp -a root/* /"],
    passes: ["tar -xf x.tar -C build", "unzip -o x.zip -d out", "cp -a src/* dst/"],
  },
  {
    id: "fill-disk",
    family: "safety",
    match: [
      {
        program: "dd",
        text: "if=/dev/(?:zero|u?random)",
        operand: { like: "of=.*" },
        notText: "count=|of=/dev/",
      },
      { program: "yes", writes: { notPath: "device", like: "(?:[^/]|/(?:[^d]|d[^e])).*" } },
      {
        program: "cat",
        operand: { like: "/dev/(?:zero|u?random)" },
        writes: { like: "(?:[^/]|/(?:[^d]|d[^e])).*" },
      },
      { program: "fallocate", value: { of: "-l|--length", like: "\\d+(?:\\.\\d+)?\\s*[TPE]i?B?" } },
    ],
    message: "This writes without an end until the disk is full.",
    remedy: "Give a size: count= for dd, head -c before the redirection.",
    fires: ["dd if=/dev/zero of=big.bin", "yes > file.txt", "cat /dev/urandom > x"],
    passes: [
      "dd if=/dev/zero of=a.bin count=1",
      "yes | head -3",
      "cat /dev/urandom | head -c 10",
      "yes > /dev/null",
    ],
  },
];
