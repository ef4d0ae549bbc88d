import type { GuardRule } from "../../calls/rule.ts";

const remedy =
  "Read it from an environment variable or the secret store, and have it changed if it was ever shared.";
const place = "fixture|secret|agent-notes";

/** Returns a made-up token for an example. */
const made = (beginning: string, length: number): string =>
  beginning + "aB3dE6gH9k".repeat(10).slice(0, length);

/** A rule on one service's token in a written file. */
function tokenRule(id: string, name: string, holds: string, content: string, example: string): GuardRule {
  const near = holds.split("|")[0] ?? "";
  return {
    id: `write-${id}`,
    family: "secrets",
    match: [
      { tool: "edit", content, holds, notPath: place },
      { program: "echo|printf|cat|tee", holds, text: content, writes: { notPath: place } },
      { program: "tee", holds, text: content, operand: { notPath: place } },
      { program: "sed", holds, text: content, flags: ["-i|--in-place"] },
    ],
    message: `This writes ${name} into a file, from where it is easily committed.`,
    remedy,
    fires: [
      `Write(/home/ann/shop/src/config.ts) <<< export const key = "${example}";`,
      `echo 'const key = "${example}";' > src/config.ts`,
      `cat > config.yml <<EOF\nkey: ${example}\nEOF`,
    ],
    passes: [
      `Write(/home/ann/shop/src/config.ts) <<< const beginning = "${near}";`,
      `Write(/home/ann/shop/test/config.test.ts) <<< const key = "${example}";`,
      `Write(/home/ann/shop/.env) <<< KEY=${example}`,
      "echo 'const key = process.env.KEY;' > src/config.ts",
    ],
  };
}

/** Rules on tokens and private keys in written files and on command lines. */
export const writtenTokenRules: readonly GuardRule[] = [
  tokenRule(
    "private-key",
    "a private key",
    "PRIVATE KEY",
    "-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----[\\s\\\\nr\"'+,]*[A-Za-z0-9+/=]{20}",
    `-----BEGIN RSA PRIVATE KEY-----\\n${made("MII", 61)}`,
  ),
  tokenRule(
    "aws-key",
    "an AWS access key",
    "AKIA|ASIA",
    "(?:^|[^A-Za-z0-9/+])A[KS]IA[A-Z2-7]{9}(?:[A-Z2-7]{0,6}[2-7][A-Z2-7]{0,6}|[A-Z]{7})(?:$|[^A-Za-z0-9/+=])",
    "AKIA2QTNVXKRJW7YBPLM",
  ),
  tokenRule(
    "github-token",
    "a GitHub token",
    "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
    "gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60}",
    made("ghp_", 36),
  ),
  tokenRule(
    "gitlab-token",
    "a GitLab token",
    "glpat-|gldt-|glrt-",
    "gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20}",
    made("glpat-", 20),
  ),
  tokenRule(
    "slack-token",
    "a Slack token or webhook",
    "xoxb-|xoxp-|xoxa-|xoxs-|xapp-|hooks.slack.com",
    "xox[abps]-\\d{8,}-[A-Za-z0-9-]{20}|xapp-\\d-[A-Z0-9]{8,}-\\d+-[a-z0-9]{20}|hooks\\.slack\\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20}",
    made("xoxb-123456789012-", 40),
  ),
  tokenRule(
    "stripe-key",
    "a live Stripe key",
    "sk_live_|rk_live_|whsec_",
    "[sr]k_live_[A-Za-z0-9]{20}|whsec_[A-Za-z0-9]{24}",
    made("rk_live_", 24),
  ),
  tokenRule(
    "openai-key",
    "an OpenAI key",
    "sk-proj-|sk-svcacct-|T3BlbkFJ",
    "sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
    made("sk-proj-", 48),
  ),
  tokenRule(
    "anthropic-key",
    "an Anthropic key",
    "sk-ant-",
    "sk-ant-(?:api|admin|oat)\\d{2}-[A-Za-z0-9_-]{40}",
    made("sk-ant-api03-", 60),
  ),
  tokenRule(
    "npm-token",
    "an npm token",
    "npm_|_authToken",
    "npm_[A-Za-z0-9]{36}|_authToken=[0-9a-f]{8}-[0-9a-f]{4}",
    made("npm_", 36),
  ),
  tokenRule(
    "google-key",
    "a Google key",
    "AIza|GOCSPX-|ya29.",
    "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{40}",
    made("AIza", 35),
  ),
  tokenRule(
    "pypi-token",
    "a PyPI or crates.io token",
    "pypi-AgE|cio",
    "pypi-AgE[A-Za-z0-9_-]{50}|\\bcio[A-Za-z0-9]{32}\\b",
    made("pypi-AgE", 60),
  ),
  tokenRule(
    "cloud-token",
    "a cloud's token",
    "dop_v1_|AccountKey=|hvs.|dckr_pat_|shpat_|PMAK-|lin_api_|HRKU-",
    "dop_v1_[a-f0-9]{64}|AccountKey=[A-Za-z0-9+/]{60,}={0,2}|hvs\\.[A-Za-z0-9_-]{24}|dckr_pat_[A-Za-z0-9_-]{20}|shpat_[a-fA-F0-9]{32}|PMAK-[a-f0-9]{24}|lin_api_[A-Za-z0-9]{40}|HRKU-[A-Za-z0-9_-]{30}",
    made("hvs.", 30),
  ),
  tokenRule(
    "mail-service-key",
    "a mail or message service's key",
    "SG.|key-|xkeysib-|re_",
    "\\bSG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}|xkeysib-[a-f0-9]{60}|\\bkey-[0-9a-f]{32}\\b|\\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20}",
    made(`${made("SG.", 22)}.`, 43),
  ),
  tokenRule(
    "model-service-key",
    "a model service's key",
    "hf_|gsk_|r8_|xai-|pplx-|sk-or-",
    "\\bhf_[A-Za-z]{2}[A-Za-z0-9]{32}|\\bgsk_[A-Za-z0-9]{48}|\\br8_[A-Za-z0-9]{37}|\\bxai-[A-Za-z0-9]{60}|pplx-[a-zA-Z0-9]{40}|sk-or-v1-[0-9a-f]{60}",
    made("hf_", 34),
  ),
  {
    id: "write-database-password",
    family: "secrets",
    action: "advise",
    match: [
      {
        tool: "edit",
        holds: "://",
        content:
          "(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql)://[\\w.-]+:[^\\s:@/{}$<>\"'%*]{8,}@(?:[\\w-]+\\.)+(?:com|net|org|io|cloud|app|dev|tech|co)\\b",
        notPath: place,
      },
    ],
    message: "This writes a database's password into a file, from where it is easily committed.",
    remedy,
    fires: [
      'Write(/home/ann/shop/src/db.ts) <<< connect("postgres://app:hunter2hunter2@db.acme.com:5432/shop")',
      "Write(/home/ann/shop/config/prod.yml) <<< url: mongodb+srv://root:s3cr3tpass@c0.abc.mongodb.net/x",
    ],
    passes: [
      'Write(/home/ann/shop/src/db.ts) <<< connect("postgres://postgres:postgres@localhost:5432/shop")',
      "Write(/home/ann/shop/src/db.ts) <<< connect(`postgres://${user}:${password}@db.acme.com/shop`)",
      "Write(/home/ann/shop/README.md) <<< postgres://app:hunter2hunter2@db.acme.com/shop",
    ],
  },
  {
    id: "write-session-token",
    family: "secrets",
    action: "advise",
    match: [
      {
        tool: "edit",
        holds: "eyJ",
        content: "\\beyJ[A-Za-z0-9_-]{17,}\\.eyJ[A-Za-z0-9_-]{17,}\\.[A-Za-z0-9_-]{20,}",
        notPath: place,
      },
    ],
    message: "This writes a session's token into a file; while it is valid, whoever has it is logged in.",
    remedy,
    fires: [
      `Write(/home/ann/shop/src/api.ts) <<< const t = "${made("eyJ", 30)}.${made("eyJ", 40)}.${made("", 43)}"`,
      `Write(/home/ann/shop/run.sh) <<< curl -H "Bearer ${made("eyJ", 30)}.${made("eyJ", 40)}.${made("", 43)}"`,
    ],
    passes: [
      'Write(/home/ann/shop/src/api.ts) <<< if (token.startsWith("eyJ")) return;',
      `Write(/home/ann/shop/src/jwt.test.ts) <<< "${made("eyJ", 30)}.${made("eyJ", 40)}.${made("", 43)}"`,
    ],
  },
  {
    id: "token-on-command-line",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: "*",
        holds: "ghp_|github_pat_|glpat-|xoxb-|xoxp-|sk-ant-|sk-proj-|sk_live_|npm_|AKIA|dop_v1_|hvs.",
        text: "gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60}|glpat-[A-Za-z0-9_-]{20}|xox[bp]-\\d{8,}-[A-Za-z0-9-]{20}|sk-ant-(?:api|admin|oat)\\d{2}-[A-Za-z0-9_-]{40}|sk-proj-[A-Za-z0-9_-]{40}|sk_live_[A-Za-z0-9]{20}|npm_[A-Za-z0-9]{36}|dop_v1_[a-f0-9]{64}|\\bhvs\\.[A-Za-z0-9_-]{24}",
      },
    ],
    message: "This puts a token on a command line, where other users, histories and logs see it.",
    remedy: "Put it into an environment variable by hand, and name the variable here.",
    fires: [
      `curl -H "Authorization: Bearer ${made("ghp_", 36)}" https://api.github.com/user`,
      `ssh ci 'export T=${made("glpat-", 20)}; ./deploy'`,
      `sudo npm config set //registry.npmjs.org/:_authToken ${made("npm_", 36)}`,
    ],
    passes: [
      'curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user',
      "grep -rn 'ghp_' src",
      "rg 'sk-ant-[a-z]'",
      "npm_config_cache=/tmp/c npm ci",
    ],
  },
  {
    id: "password-on-command-line",
    family: "secrets",
    action: "advise",
    match: [
      { program: "sshpass", value: { of: "-p", like: "[^\uFFFC]+" } },
      {
        program: "docker|podman|helm|oras|nerdctl",
        words: "login|registry login",
        value: { of: "-p|--password", like: "[^\uFFFC]+" },
      },
      { program: "sudo", flags: ["-S|--stdin"], from: "echo|printf" },
      { program: "smbclient|rpcclient|net", value: { of: "-U|--user", like: ".+%.+" } },
      { program: "chpasswd", from: "echo|printf" },
      { program: "expect", text: 'send "?\\S*passw' },
    ],
    message: "This puts a password on a command line, where other users and logs see it.",
    remedy: "Give it by `--password-stdin`, a file or the environment, from a store of secrets.",
    fires: [
      "sshpass -p hunter2 ssh bob@host",
      "docker login -u ann -p hunter2 ghcr.io",
      "echo hunter2 | sudo -S apt update",
      "echo 'bob:hunter2' | sudo chpasswd",
    ],
    passes: [
      "sshpass -e ssh bob@host",
      'echo "$T" | docker login ghcr.io -u ann --password-stdin',
      "docker login ghcr.io",
      "sudo apt update",
      "docker run -p 8080:80 web",
    ],
  },
];
