import type { GuardRule } from "../calls/rule.ts";

/** Rules on accounts of package registries: who may publish, and their tokens. */
export const registryRules: readonly GuardRule[] = [
  {
    id: "registry-remove-owner",
    family: "safety",
    match: [
      {
        program: "npm|pnpm|yarn",
        words: "owner rm|owner remove|owner del|org rm|team destroy|team rm|npm owner rm",
      },
      { program: "cargo", words: "owner", flags: ["-r|--remove"] },
      { program: "gem", words: "owner", flags: ["-r|--remove"] },
      { program: "mix", words: "hex.owner remove|hex.owner transfer" },
      { program: "pod", words: "trunk remove-owner" },
    ],
    message: "This takes somebody's rights to publish away.",
    remedy: "Let the user do it on the registry's website.",
    fires: ["npm owner rm bob shop", "cargo owner --remove bob shop", "sudo gem owner shop -r bob@x.example"],
    passes: ["npm owner ls shop", "cargo owner --list shop", "npm team ls ann"],
  },
  {
    id: "registry-add-owner",
    family: "safety",
    action: "advise",
    match: [
      { program: "npm|pnpm|yarn", words: "owner add" },
      { program: "cargo", words: "owner", flags: ["-a|--add"] },
      { program: "gem", words: "owner", flags: ["-a|--add"] },
      { program: "mix", words: "hex.owner add" },
      { program: "pod", words: "trunk add-owner" },
    ],
    message: "This lets somebody else publish the package.",
    remedy: "Make sure of the name, and let the user add it.",
    fires: ["npm owner add bob shop", "sudo cargo owner --add bob", "gem owner shop -a bob@x.example"],
    passes: ["npm owner ls shop", "cargo add serde", "gem install shop"],
  },
  {
    id: "registry-protection-off",
    family: "safety",
    match: [
      { program: "npm", words: "profile disable-2fa|profile disable-tfa|profile disable2fa" },
      { program: "npm", words: "access set", operand: { like: "mfa=(?:none|automation)" } },
      { program: "npm", words: "access 2fa-not-required" },
      { program: "npm", words: "token revoke|token delete|token rm" },
    ],
    message: "This weakens or breaks the protection of an account or package on the registry.",
    remedy: "Let the user change it on the website.",
    fires: ["npm profile disable-2fa", "npm access set mfa=none shop", "sudo npm token revoke a1b2c3"],
    passes: ["npm profile get", "npm access get status shop", "npm token list"],
  },
  {
    id: "registry-new-token",
    family: "secrets",
    match: [{ program: "npm", words: "token create" }],
    message: "This makes a token for publishing, and prints it where the agent reads it.",
    remedy: "Let the user make it on the website, and keep it in a secret store.",
    fires: ["npm token create", "bash -c 'npm token create --read-only'"],
    passes: ["npm token list", "npm whoami"],
  },
  {
    id: "registry-token-in-settings",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: "npm|pnpm|yarn",
        words: "config set|set",
        text: ":_(?:authToken|password|auth)[= ][A-Za-z0-9]|npmAuth(?:Token|Ident) [A-Za-z0-9]",
      },
      {
        program: "poetry",
        words: "config",
        operand: { like: "(?:pypi-token|http-basic)\\..+" },
        count: [2, 4],
        without: "--unset",
      },
      { program: "cargo", words: "login", operand: { like: "[A-Za-z0-9]{30,}" } },
      { program: "nuget", words: "setapikey" },
      {
        program: "composer",
        words: "config",
        operand: { like: "(?:github-oauth|gitlab-token|http-basic|bearer)\\..+" },
        count: [2, 4],
      },
      { program: "pip|pip3", words: "config set", operand: { like: "https?://[^/@]+:[^/@]+@.*" } },
      {
        program: "twine|uv|poetry",
        words: "upload|publish",
        value: { of: "-p|--password|-t|--token", like: "[A-Za-z0-9-]{8,}.*" },
      },
    ],
    message: "This keeps a registry's token as plain text, and shows it in the command.",
    remedy: "Take it from an environment variable or the system's keychain.",
    fires: [
      "npm config set //registry.npmjs.org/:_authToken npm_abcdefghijklmnop",
      "sudo poetry config pypi-token.pypi pypi-AgEIcHlwaS5vcmcC",
      "bash -c 'uv publish --token pypi-AgEIcHlwaS5vcmcC'",
    ],
    passes: [
      "npm config set '//registry.npmjs.org/:_authToken=${NPM_TOKEN}'",
      "npm login",
      "poetry config --list",
    ],
  },
  {
    id: "registry-token-into-file",
    family: "secrets",
    match: [
      {
        program: "echo|printf|cat",
        writes: { like: "(?:.*/)?\\.(?:npmrc|yarnrc\\.yml|pypirc)" },
        text: "(?:_authToken ?=|npmAuthToken: ?|password ?[=:] ?|_password ?= ?)[\"']?(?:npm_|pypi-|[a-z0-9+/_-]{20,})",
      },
      {
        tool: "edit",
        like: ".*/\\.(?:npmrc|yarnrc\\.yml|pypirc)",
        content:
          "(?:_authToken ?=|npmAuthToken: ?|password ?[=:] ?|_password ?= ?)[\"']?(?:npm_|pypi-|[a-z0-9+/_-]{20,})",
      },
    ],
    message: "This writes a registry's token as plain text into a file.",
    remedy: "Write ${NPM_TOKEN} there, and give the token by the environment.",
    fires: [
      "echo '//registry.npmjs.org/:_authToken=npm_abcdefghijklmnopqrst' >> .npmrc",
      "Write(/home/ann/shop/.npmrc) <<< //registry.npmjs.org/:_authToken=npm_abcdefghijklmnopqrst",
    ],
    passes: [
      "echo '//registry.npmjs.org/:_authToken=${NPM_TOKEN}' >> .npmrc",
      "Write(/home/ann/shop/.npmrc) <<< save-exact=true",
      "cat .npmrc.example",
    ],
  },
];
