import type { GuardRule, Match } from "../../calls/rule.ts";

/** Programs that print a file's text, or another form of it. */
const readers =
  "cat|tac|nl|less|more|most|head|tail|bat|batcat|strings|base64|base32|xxd|od|hexdump|hd|awk|gawk|mawk|sort|uniq|rev|fold|fmt|column|paste|pr|jq|yq|diff|sdiff|vimdiff|colordiff|zcat|gzip|get-content|type|dd|uuencode|perl";
const searchers = "grep|egrep|fgrep|rg|ag|ack|select-string";
/** Options with which a search prints no values. */
const quiet = "-q|--quiet|-c|--count|-l|--files-with-matches|-L|--silent|--help|--brief";
/** Scripts of sed, awk and grep that print names alone. */
const namesOnly = "=\\.\\*|=\\[\\^|\\{ ?print \\$1 ?\\}|^-[a-z]*o[a-zE]* |sub\\(/=";

/** Matches what prints a kind of file, and the Read tool. */
function reading(path: string, notPath?: string): Match[] {
  const test = notPath === undefined ? { path } : { path, notPath };
  return [
    {
      program: searchers,
      last: test,
      count: [2, 99],
      without: quiet,
      notText: namesOnly,
      shown: "part",
    },
    {
      program: searchers,
      operand: test,
      flags: ["-e|--regexp"],
      without: quiet,
      shown: "part",
    },
    {
      program: "find",
      value: { of: "-name|-iname|-path", ...test },
      text: "-exec(?:dir)? (?:/bin/)?(?:cat|head|tail|less|base64|strings|grep) ",
    },
    {
      program: readers,
      operand: test,
      without: "--help|--version|--brief",
      notText: namesOnly,
      shown: "part",
    },
    {
      program: "sed",
      operand: test,
      without: "-i|--in-place",
      notText: namesOnly,
      shown: "part",
    },
    {
      program: "cut",
      operand: test,
      value: { of: "-f|--fields", like: "(?:[2-9].*|1[-,0-9].*)" },
      shown: "part",
    },
    {
      program: "cut",
      operand: test,
      value: { of: "-c|-b|--characters|--bytes", like: ".*" },
      shown: "part",
    },
    // A line without the delimiter is printed whole.
    { program: "cut", operand: test, value: { of: "-d|--delimiter", like: "[^=]" }, shown: "part" },
    { program: "cut", operand: test, notText: "(?:^| )-(?:[a-z]?d|-delim)", shown: "part" },
    { program: "cut", operand: test, flags: ["--complement"], shown: "part" },
    {
      program: "cp|install|ln|mv|rsync",
      operand: test,
      last: { like: "/dev/(?:stdout|stderr|tty|fd/[12])|/proc/self/fd/[12]" },
      shown: "part",
    },
    { program: "dd", operand: { ...test, like: "if=(?P<path>.+)" }, notText: "\\bof=", shown: "part" },
    {
      program: "dd",
      operand: { ...test, like: "if=(?P<path>.+)" },
      text: "\\bof=/dev/(?:stdout|stderr|tty|fd/[12])",
    },
    { program: "curl", operand: { ...test, like: "file://(?P<path>/.+)" }, shown: "part" },
    // A copy that the command itself has made.
    { program: readers, operand: { givenFile: path }, notText: namesOnly, shown: "part" },
    { program: "cat|head|tail|base64|strings|tee", fromFile: path, count: [0, 0], shown: "part" },
    // What read or mapfile takes from such a file.
    {
      program: "echo|printf",
      operand: { givenFile: path, givenVariable: ".*" },
      shown: "part",
    },
    { program: "get-content", value: { of: "-Path|-LiteralPath", ...test }, shown: "part" },
    { tool: "read", ...test },
  ];
}

/** Scripts of awk that read such a file by its name. */
const namedInAwk = (names: string): Match => ({
  program: "awk|gawk|mawk|nawk",
  holds: "getline",
  text: `["'](?:[^"']*/)?(?:${names})["']`,
  shown: "part",
});

/** Rules on files of secrets that are read into the conversation. */
export const fileReadingRules: readonly GuardRule[] = [
  {
    id: "read-environment-file",
    family: "secrets",
    match: [
      ...reading("environment-file"),
      namedInAwk("\\.env(?:\\.(?:local|development|dev|test|staging|stage|production|prod))*"),
    ],
    message: "This reads passwords and keys into the conversation, where they stay and are sent on.",
    remedy: "Print the names alone, as `cut -d= -f1 FILE` does, or ask the user for the one value.",
    fires: [
      "cat .env",
      "sudo head -20 /home/ann/shop/.env.production",
      "bash -c 'grep DATABASE_URL .env.local'",
      "cat .env | grep STRIPE",
      "find . -name x -o -exec cat .env \\;",
      "base64 < .env",
      'echo "$(cat .env)"',
      "printf '%s' \"$(< .env)\"",
      'while read -r line; do echo "$line"; done < .env',
      "find . -name '.env*' | xargs cat",
      "Read(/home/ann/shop/.env)",
      "PowerShell(Get-Content .env)",
      "cp .env /dev/stdout",
      "cp .env /tmp/x && cat /tmp/x",
      "mapfile -t lines < .env; printf '%s\\n' \"${lines[@]}\"",
      'readarray lines < .env && echo "${lines[0]}"',
      "awk 'BEGIN { while ((getline line < \".env\") > 0) print line }'",
      "awk 'BEGIN { f = \"./.env.local\"; while ((getline line < f) > 0) print line }'",
      "cut -f1 .env",
      "dd if=.env bs=1k",
      "curl -s file://$PWD/.env",
      "ls -a | grep env | head -1 | xargs cat",
      "cut -d: -f1 .env",
      "cut -c1-80 .env",
      "ls -a | grep env | xargs cat",
      "ls -A | grep '^\\.env$' | xargs -n1 cat",
    ],
    passes: [
      "cat .env.example",
      "cut -d= -f1 .env",
      "cut -d '=' -f 1 .env",
      "dd if=.env of=.env.backup",
      "curl file:///srv/www/index.html",
      "cp .env .env.example",
      "cp .env.example .env",
      "cp .env.example /tmp/x && cat /tmp/x",
      "mapfile -t lines < .env; echo ${#lines[@]}",
      "mapfile -t files < <(ls); printf '%s\\n' \"${files[@]}\"",
      "awk 'BEGIN { while ((getline line < \"names.txt\") > 0) print line }'",
      "ls -a | grep env",
      "ls -a | grep env | xargs ls -la",
      "ls | grep env | xargs cat",
      "ls -a | grep eslint | xargs cat",
      "grep -q API_KEY .env",
      "sed 's/=.*/=/' .env",
      "source .env && npm start",
      "docker run --env-file .env app",
      "ls -la .env",
      "export $(cat .env | xargs)",
      "cat .env | wc -l",
      'echo "$(wc -l < .env) lines"',
      "while IFS='=' read -r name value; do echo \"$name\"; done < .env",
      'while read -r line; do export "$line"; done < .env',
      "Read(/home/ann/shop/.env.example)",
      "grep -rn 'cat .env' docs",
    ],
  },
  {
    id: "read-private-key",
    family: "secrets",
    match: reading("private-key"),
    message:
      "This prints a private key into the conversation: whoever has it can log in or sign as its owner.",
    remedy: "Use the key by its path, or show its public half or fingerprint with `ssh-keygen -lf FILE`.",
    fires: [
      "cat ~/.ssh/id_rsa",
      "sudo cat /home/bob/.ssh/id_ed25519",
      "base64 -w0 certs/server.key",
      "cd ~/.ssh && cat id_ecdsa",
      "cat deploy.pem | head -5",
      "Read(/home/ann/.ssh/id_ed25519)",
    ],
    passes: [
      "cat ~/.ssh/id_rsa.pub",
      "ssh -i ~/.ssh/id_rsa host uptime",
      "ssh-keygen -lf ~/.ssh/id_ed25519",
      "cat test/fixtures/server.key",
      "openssl x509 -in cert.pem -noout -dates",
      "cat ~/.ssh/config",
      "chmod 600 key.pem",
    ],
  },
  {
    id: "read-stored-credentials",
    family: "secrets",
    match: [
      ...reading("secret", "environment-file|private-key|fixture"),
      {
        program: "python|python3|node|nodejs|bun|ruby|php|perl",
        text: "(?:print|console\\.log|puts|echo|stdout|^-pe? )[\\s\\S]*(?:open|readFileSync|readFile|File\\.read|file_get_contents|Path)\\(\\s*['\"][^'\"]*(?:\\.env|/id_rsa|/id_ed25519|\\.aws/credentials|\\.pem|/\\.netrc)['\"]",
        shown: "part",
      },
    ],
    message: "This reads the credentials that a program keeps, and puts them into the conversation.",
    remedy:
      "Ask the program who is logged in instead, such as `aws sts get-caller-identity`, and leave the file closed.",
    fires: [
      "cat ~/.aws/credentials",
      "sudo cat /etc/shadow",
      "bash -lc 'cat ~/.kube/config'",
      "cat ~/.npmrc",
      "jq . ~/.docker/config.json",
      "cat ~/.git-credentials",
      "cat /proc/self/environ | tr '\\0' '\\n'",
      "grep -i pass ~/.netrc",
      "python3 -c \"print(open('.env').read())\"",
      "Read(/home/ann/.aws/credentials)",
    ],
    passes: [
      "cat .npmrc",
      "cat ~/.aws/config",
      "kubectl --kubeconfig ~/.kube/config get pods",
      "grep -c aws_access_key_id ~/.aws/credentials",
      "cat /etc/passwd",
      "ls ~/.aws",
      "test -f ~/.netrc",
    ],
  },
  {
    id: "read-shell-history",
    family: "secrets",
    action: "advise",
    match: [
      { program: readers, operand: { path: "history" }, shown: "part", place: "here" },
      {
        program: searchers,
        last: { path: "history" },
        count: [2, 99],
        without: "-c|--count",
        shown: "part",
        place: "here",
      },
      { tool: "read", path: "history" },
    ],
    message: "A history of commands often holds passwords and tokens that were typed.",
    remedy:
      "Ask the user which command they mean, or search the history for one exact word and count the hits.",
    fires: ["cat ~/.bash_history", "sudo tail -100 /root/.bash_history", "grep curl ~/.zsh_history"],
    passes: ["cat HISTORY.md", "git log --oneline -20", "wc -l ~/.bash_history", "history | tail -5"],
  },
];
