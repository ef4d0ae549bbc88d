import type { GuardRule, Match } from "../../calls/rule.ts";

/** Matches what changes a kind of file: redirections, programs that write to their operands, and the Edit and Write tools. */
function writing(path: string, truncates = false): Match[] {
  return [
    { program: "*", place: "here", writes: truncates ? { path, truncates: true } : { path } },
    {
      program: "tee|sponge",
      place: "here",
      operand: { path },
      ...(truncates ? { without: "-a|--append" } : {}),
    },
    { program: "sed|gsed", place: "here", operand: { path }, flags: ["-i|--in-place"] },
    { program: "perl", place: "here", operand: { path }, flags: ["-i|-pi"] },
    { program: "cp|mv|install|ln|rsync", place: "here", last: { path }, without: "-n|--dry-run|-t" },
    { program: "rm|unlink|shred|truncate|rimraf|trash", place: "here", operand: { path } },
    { program: "mv", place: "here", operand: { path } },
    { program: "dd", place: "here", operand: { like: "of=(?P<path>.+)", path } },
    { program: "curl|wget", place: "here", value: { of: "-o|--output|-O|--output-document", path } },
    {
      program: "set-content|out-file|clear-content|remove-item|new-item|add-content",
      place: "here",
      operand: { path },
    },
    {
      program: "set-content|out-file|remove-item",
      place: "here",
      value: { of: "-Path|-LiteralPath|-FilePath", path },
    },
    { tool: "edit", path },
  ];
}

/** Rules on files that decide what agents may do, or what runs by itself. */
export const agentFileRules: readonly GuardRule[] = [
  {
    id: "change-agent-settings",
    family: "protect",
    match: writing("agent-settings"),
    message: "This changes what an agent may do, or which servers and hooks it runs.",
    remedy: "Tell the user which line you would change, and let them do it.",
    fires: [
      "Edit(/home/ann/shop/.claude/settings.json)",
      "Write(/home/ann/shop/.mcp.json) <<< {}",
      "jq '.x=1' a.json > .claude/settings.local.json",
      "sudo cp /tmp/config.toml ~/.codex/config.toml",
      "bash -c 'rm ~/.gemini/settings.json'",
      "sed -i s/ask/allow/ ~/.claude/settings.json",
    ],
    passes: [
      "cat .claude/settings.json",
      "jq .hooks .claude/settings.json",
      "Edit(/home/ann/shop/.vscode/settings.json)",
      "Read(/home/ann/shop/.mcp.json)",
      "cp .claude/settings.json /tmp/s.json",
      "Edit(/home/ann/shop/.claude/skills/a/SKILL.md)",
    ],
  },
  {
    id: "run-agent-unguarded",
    family: "protect",
    match: [
      { program: "claude", flags: ["--dangerously-skip-permissions|--allow-dangerously-skip-permissions"] },
      { program: "claude", value: { of: "--permission-mode", like: "bypassPermissions" } },
      { program: "codex", flags: ["--dangerously-bypass-approvals-and-sandbox|--yolo"] },
      { program: "gemini|qwen", flags: ["--yolo|-y"] },
      { program: "copilot", flags: ["--allow-all-tools|--allow-all|--yolo"] },
      { program: "cursor-agent|agent", flags: ["--force|-f"], text: "^(?:-p|--print)|cursor" },
      { program: "aider", flags: ["--yes-always"] },
    ],
    message: "This starts an agent that asks nobody before it acts.",
    remedy: "Start it with the tools that it needs allowed by name, or within a container.",
    fires: [
      "claude --dangerously-skip-permissions -p 'fix it'",
      "nohup codex exec --yolo 'go' &",
      "bash -c 'gemini -y -p x'",
      "claude -p x --permission-mode bypassPermissions",
    ],
    passes: [
      "claude -p 'what does --dangerously-skip-permissions do'",
      "claude --help",
      "gemini -p 'hello'",
      "codex exec 'run tests'",
      "claude --permission-mode plan",
    ],
  },
  {
    id: "change-purser-files",
    family: "protect",
    action: "ask",
    match: [
      ...writing("purser"),
      { program: "sqlite3", operand: { path: "purser" }, text: "delete|update|insert|drop|alter|replace" },
    ],
    message: "This changes the guard's own rules or records.",
    remedy: "Ask the user to change it; `purser guard explain ID` says why a rule fires.",
    fires: [
      "rm -rf ~/.purser",
      "echo 'mode: off' > .purser/guard.yaml",
      "Edit(/home/ann/.purser/guard.yaml)",
      "sudo sed -i s/on/off/ /home/ann/.purser/guard.yaml",
      "bash -c 'mv ~/.purser ~/x'",
    ],
    passes: [
      "cat ~/.purser/guard.yaml",
      "ls ~/.purser",
      "Read(/home/ann/.purser/guard.yaml)",
      "purser guard list",
      "cp -r ~/.purser /tmp/backup",
      "grep -r purser .",
    ],
  },
  {
    id: "turn-guard-off",
    family: "protect",
    action: "ask",
    match: [
      { program: "purser", words: "guard off|guard observe|uninstall|hooks remove", without: "--help|-h" },
      {
        program: "code|code-insiders|codium|cursor",
        flags: ["--uninstall-extension|--disable-extension"],
        text: "purser",
      },
    ],
    message: "This turns the guard off.",
    remedy: "Ask the user; a single false alarm can be excepted by them.",
    fires: [
      "purser guard off",
      "npx purser guard observe",
      "bash -c 'purser guard off'",
      "code --uninstall-extension x.purser",
    ],
    passes: [
      "purser guard status",
      "purser guard off --help",
      "purser guard explain delete-root",
      "echo purser guard off",
    ],
  },
  {
    id: "install-background-job",
    family: "protect",
    match: [
      ...writing("scheduled"),
      { program: "crontab", place: "here", from: "echo|printf|cat|crontab|sed", text: "^-" },
      { program: "crontab", place: "here", count: [1, 1], operand: { like: "[^-].*" }, without: "-l|-e|-r" },
      { program: "launchctl", words: "load|bootstrap|submit", place: "here" },
      { program: "schtasks", flags: ["/create|/CREATE|/Create"] },
    ],
    message: "This makes something run by itself on the machine, also when nobody is there.",
    remedy: "Tell the user what would run and how often, and let them set it up.",
    fires: [
      "echo '0 * * * * /tmp/x' | crontab -",
      "sudo tee /etc/cron.d/x < job",
      "sudo cp app.service /etc/systemd/system/app.service",
      "launchctl load ~/Library/LaunchAgents/x.plist",
      "Write(/home/ann/.config/autostart/x.desktop) <<< [Desktop Entry]",
    ],
    passes: [
      "crontab -l",
      "systemctl status app",
      "cat /etc/cron.d/php",
      "Edit(/home/ann/shop/deploy/app.service)",
      "ls /etc/systemd/system",
      "docker exec web sh -c 'echo x > /etc/cron.d/x'",
    ],
  },
  {
    id: "change-git-hooks",
    family: "protect",
    match: [
      ...writing("hooks"),
      { program: "chmod", operand: { path: "hooks" }, text: "-x|[0-7]*[0246]{3}\\b" },
    ],
    message: "This changes what runs at every commit or push.",
    remedy: "Tell the user what the hook hinders, and mend that instead.",
    fires: [
      "rm .git/hooks/pre-commit",
      "echo 'exit 0' > .husky/pre-push",
      "sudo chmod -x .git/hooks/pre-commit",
      "Edit(/home/ann/shop/.husky/pre-commit)",
      "bash -c 'mv .git/hooks/pre-push /tmp'",
    ],
    passes: [
      "cat .husky/pre-commit",
      "ls .git/hooks",
      "Edit(/home/ann/shop/src/hooks/useCart.ts)",
      "npx husky init",
      "Read(/home/ann/shop/.git/hooks/pre-commit)",
    ],
  },
];
