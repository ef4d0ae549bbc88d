import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { wakeJson } from "../../../src/engine/cli/economy/economy-schema.ts";
import type { HandoverWord } from "../../../src/engine/continuity/handover/launch.ts";
import { childEnv } from "../../engine/support/child-env.ts";
import { writeTree } from "../../engine/support/write-tree.ts";

const cli = path.resolve(import.meta.dirname, "../../../src/engine/cli/main.ts");

/** The differences between arms. */
export interface Arm {
  readonly name: string;
  /**
   * Lines of the agent's head. Null for the naive arm, which starts the program itself, as a new session each
   * time.
   */
  readonly head: readonly string[] | null;
  /** Begin a new session each time. */
  readonly isFresh?: boolean;
  /** Fetch the whole thread each time. */
  readonly fetchesAll?: boolean;
}

const models: Readonly<Record<HandoverWord, string>> = {
  claude: "claude-sonnet-5-5",
  codex: "gpt-5.1-codex",
  copilot: "claude-sonnet-4-5",
  gemini: "gemini-2.5-pro",
};

const bootstrap = readLong();

/** A user's home with a project, a long task, skills, and a program that is connected to the model. */
export class BenchPlace {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), "purser-economy-")));
  readonly project = path.join(this.root, "argo");
  readonly #env: Record<string, string>;
  readonly #arm: Arm;
  readonly #word: HandoverWord;
  readonly #model: string;
  #comments = 0;

  constructor({
    arm,
    word,
    binary,
    url,
    more = {},
  }: {
    readonly arm: Arm;
    readonly word: HandoverWord;
    readonly binary: string;
    readonly url: string;
    /** Variables beside those of every program. */
    readonly more?: Readonly<Record<string, string>>;
  }) {
    this.#arm = arm;
    this.#word = word;
    this.#model = models[word];
    const bin = path.join(this.root, "bin");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "purser"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    chmodSync(path.join(bin, "purser"), 0o755);
    const head = [
      `program: ${word}`,
      `model: ${this.#model}`,
      "wake: Do the next step of your task and report it in a comment.",
      ...(arm.head ?? []),
    ];
    writeTree(this.root, {
      ...Object.fromEntries(skills.map((name) => [`.claude/skills/${name}/SKILL.md`, skillText(name)])),
      ".gemini/settings.json": JSON.stringify(geminiSettings),
      ".codex/config.toml": codexConfig(url, this.#model),
      "argo/CLAUDE.md": "# Argo\n\nThe harbor's software. Keep changes small, and test each of them.\n",
      "argo/AGENTS.md": "# Argo\n\nThe harbor's software. Keep changes small, and test each of them.\n",
      "argo/.purser/agents/keeper.md": `---\n${head.join("\n")}\n---\n${bootstrap}`,
      "argo/.purser/tasks/T1.md":
        "---\ntitle: Move the tide table to the new format\nstate: in_progress\nassignee: keeper\ncheck: test -e finished\n---\nThe tide table has forty entries. Move one entry in each step, and say which.\n",
    });
    this.#env = {
      ...childEnv,
      PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: this.root,
      TMPDIR: this.root,
      CLAUDE_CODE_TMPDIR: this.root,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "dummy",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      STAND_IN_KEY: "dummy",
      PURSER_CLAUDE: binary,
      PURSER_CODEX: binary,
      PURSER_COPILOT: binary,
      PURSER_GEMINI: binary,
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_TYPE: "anthropic",
      // It masks the key in all it prints, so it must be no word of ours.
      COPILOT_PROVIDER_API_KEY: "stand-in-key-that-is-no-word-of-ours",
      GEMINI_API_KEY: `AIza${"0".repeat(35)}`,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
      ...more,
    };
    for (let index = 0; index < 40; index += 1) this.comment();
  }

  /** Somebody else writes a comment. */
  comment(): void {
    this.#comments += 1;
    const number = this.#comments;
    const stamp = new Date(Date.parse("2026-11-01T08:00:00Z") + number * 600_000).toISOString();
    const name = `${stamp.replaceAll(/[-:]|\.\d+/gu, "")}-${number}`;
    const text = `Entry ${number}: ${"the gauge at the north pier reads higher than the one at the mole when the wind stands on the coast. ".repeat(4)}`;
    writeTree(this.project, {
      [`.purser/tasks/comments/T1/${name}.md`]: `---\nauthor: mira\nat: "${stamp}"\n---\n${text}\n`,
    });
  }

  /** Names a program that is a script of Node's. */
  setProgram(script: string): void {
    const file = path.join(this.root, "bin", "script");
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
    chmodSync(file, 0o755);
    this.#env[`PURSER_${this.#word.toUpperCase()}`] = file;
  }

  /** Removes what the program keeps of sessions. */
  forgetSessions(): void {
    for (const folder of [".claude/projects", ".codex/sessions"])
      rmSync(path.join(this.root, folder), { recursive: true, force: true });
  }

  finish(): void {
    writeFileSync(path.join(this.project, "finished"), "");
  }

  isDone(): boolean {
    return /^state: done$/mu.test(readFileSync(path.join(this.project, ".purser/tasks/T1.md"), "utf8"));
  }

  /** Wakes the agent once. Returns purser's record of it; null for the naive arm. */
  async wake(): Promise<z.infer<typeof wakeJson>["wakes"][number] | null> {
    if (this.#arm.head === null) {
      await this.#startNaive();
      return null;
    }
    const fresh = this.#arm.isFresh === true ? ["--fresh"] : [];
    const ended = await execa(
      process.execPath,
      [cli, "run", "keeper", "--source", "timer", "--yes", "--json", ...fresh],
      {
        cwd: this.project,
        env: this.#env,
        extendEnv: false,
        reject: false,
        stdin: "ignore",
        timeout: 120_000,
      },
    );
    if (!ended.stdout.startsWith("{")) throw new Error(`purser run failed: ${ended.stderr}`);
    const [woken] = wakeJson.parse(JSON.parse(ended.stdout)).wakes;
    if (woken?.wake?.outcome !== "completed")
      throw new Error(`the wake did not end well: ${ended.stdout} ${ended.stderr}`);
    return woken;
  }

  /**
   * The behaviour of a system without purser: the same program, a new session, the whole instructions and the
   * whole thread.
   */
  async #startNaive(): Promise<void> {
    const prompt = `${bootstrap}\n\nDo the next step of your task and report it in a comment. Read the whole thread of task T1 first: purser task show T1\n`;
    const args =
      this.#word === "claude"
        ? [
            "-p",
            prompt,
            "--model",
            this.#model,
            "--output-format",
            "json",
            "--permission-mode",
            "acceptEdits",
            "--allowedTools",
            "Bash,Read,Edit,Write",
          ]
        : [
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--sandbox",
            "workspace-write",
            "-c",
            "allow_login_shell=false",
            "-m",
            this.#model,
            prompt,
          ];
    const ended = await execa(
      this.#env[this.#word === "claude" ? "PURSER_CLAUDE" : "PURSER_CODEX"] ?? "",
      args,
      {
        cwd: this.project,
        env: { ...this.#env, USER: "keeper" },
        extendEnv: false,
        reject: false,
        stdin: "ignore",
        timeout: 120_000,
      },
    );
    if (ended.exitCode !== 0)
      throw new Error(`the program failed: ${ended.stdout.slice(-500)} ${ended.stderr.slice(-500)}`);
  }

  async close(): Promise<void> {
    await execa(process.execPath, [cli, "service", "stop"], {
      env: this.#env,
      extendEnv: false,
      reject: false,
      cwd: this.project,
    });
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const skills = ["tides", "lamps", "ropes", "charts", "fog", "pilots", "cranes", "customs"];

function skillText(name: string): string {
  return `---\nname: ${name}\ndescription: How ${name} are handled at the harbor, with all rules that the harbor master has set for them in the last years, and when to call whom about what.\n---\nBody.\n`;
}

function readLong(): string {
  const rules = Array.from(
    { length: 40 },
    (_, index) =>
      `${index + 1}. Of the harbor's rules, the one with this number holds wherever a boat lies, whatever flag it flies.`,
  );
  return `You are keeper, who keeps the tide table of the harbor.\n\n${rules.join("\n")}\n`;
}

function codexConfig(url: string, model: string): string {
  return [
    `model = "${model}"`,
    `model_provider = "mock"`,
    "[analytics]",
    "enabled = false",
    "[model_providers.mock]",
    `name = "mock"`,
    `base_url = "${url}/v1"`,
    `wire_api = "responses"`,
    `env_key = "STAND_IN_KEY"`,
    "",
  ].join("\n");
}

/** No sign-in, telemetry or updates. */
const geminiSettings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
};
